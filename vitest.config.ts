import { defineConfig } from 'vitest/config'

/** More than one `waitFor` may take. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    globalSetup: 'test/support/shared-redis.ts',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/service/**'],
          ...timeouts,
        },
      },
      { test: { name: 'service', include: ['test/service/**/*.test.ts'], ...timeouts } },
    ],
  },
})
