/**
 * Loaded before a child's own program: a child whose supervisor is gone, even by kill -9, ends itself as if it had
 * been asked to, so that no process outlives the demo.
 */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// Listening must not keep a child alive that has nothing else left to do.
process.channel?.unref();
