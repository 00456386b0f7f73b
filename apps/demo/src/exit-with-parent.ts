/**
 * Loaded before a child's own program. It ends the child when the demo is gone, even after kill -9, so that no
 * process outlives the demo.
 */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The channel alone must not keep the child alive.
process.channel?.unref();
