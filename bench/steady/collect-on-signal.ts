/* Loaded into the service: what nobody refers to any more is gone after SIGUSR2. */
process.on('SIGUSR2', () => globalThis.gc?.())
