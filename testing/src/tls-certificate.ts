/**
 * A self-signed certificate for receiver.example with its key, made for tests and trusted by nobody:
 * openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=receiver.example
 */
export const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7ZOSKKRf6wRElAI9
oJmKwHD7NthO/im2ebHI7j4497uhRANCAAS17mf5+lW6hy4uWoat6iATTsKv3RWD
B+tLRfeC+IbGtRADD+JUy1LvEwVVc1SLgbwhazQJ++ueWsZ6TGlXX25W
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUCayhKukQw8OdlNPD7dGs2cIhIGYwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTAgFw0yNjExMjEwMTM0MTBaGA8y
MTI2MTAyODAxMzQxMFowGzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABLXuZ/n6VbqHLi5ahq3qIBNOwq/dFYMH60tF
94L4hsa1EAMP4lTLUu8TBVVzVIuBvCFrNAn7655axnpMaVdfblajcDBuMB0GA1Ud
DgQWBBQNWfWWms+/Qh8tWLfeNPMbdTaCkjAfBgNVHSMEGDAWgBQNWfWWms+/Qh8t
WLfeNPMbdTaCkjAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHJlY2VpdmVy
LmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIhALXCNXvSuM7L99QzlsV7inkmBo1T
W13/KzthXfnerWCUAiBhOKSZYvj+rxdfwxYBAdV573Zmn0jLcqjKkExePotcpg==
-----END CERTIFICATE-----`,
};
