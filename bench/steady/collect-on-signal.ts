/* Loaded into the service to collect garbage on SIGUSR2. */
process.on('SIGUSR2', () => globalThis.gc?.())
