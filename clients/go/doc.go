// Package daric is the client of the Daric API: accept USDT and TRX on TRON, every call typed by the contract, and webhooks
// verified. It needs the standard library alone.
package daric
