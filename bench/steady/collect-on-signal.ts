/* Loaded into the service: collects garbage on SIGUSR2. */
process.on('SIGUSR2', () => globalThis.gc?.())
