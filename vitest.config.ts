import { defineConfig } from 'vitest/config'

/** More than one `waitFor` may take. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 }

/** Tests without servers. Those that try hundreds of inputs take too long to be among them. */
const fast = [
  'test/*.test.ts',
  'test/{calendar,deploy,docs,feeds,links,mutants,records,signage,structure,support,syndication,templates}/**/!(*.fuzz|*.privacy|*.exhaustive).test.ts',
]

/** Processes, browsers, proxies, package installs, and long simulated days. */
const system = ['test/system/**/*.test.ts']

export default defineConfig({
  test: {
    globalSetup: 'test/support/global-setup.ts',
    // On two cores vitest would start a single worker.
    maxWorkers: 3,
    projects: [
      { test: { ...timeouts, name: 'fast', include: fast, isolate: false } },
      {
        test: {
          ...timeouts,
          name: 'main',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...fast, ...system],
        },
      },
      { test: { ...timeouts, name: 'system', include: system, isolate: false } },
      { test: { ...timeouts, name: 'screenshots', include: ['test/**/*.screenshots.ts'] } },
    ],
  },
})
