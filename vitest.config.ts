import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/service/**'],
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
    ],
  },
})
