/* Makes the service that loads this module collect garbage on SIGUSR2. */
process.on('SIGUSR2', () => globalThis.gc?.())
