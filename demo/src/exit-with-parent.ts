/**
 * Loaded before a child's own program: a child ends itself when its supervisor is gone, even after kill -9.
 * So no process outlives the demo.
 */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// Listening alone must not keep a child alive.
process.channel?.unref();
