import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Options of all projects, which do not inherit those of the root. */
const options = {
  // Node runs the sources itself, as in production. No test mocks a module.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: 'test/support/setup.ts',
  // Longer than a single `waitFor` may take.
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

/** Tests that run processes and browsers take this long where other programs use the processor, too. */
const systemOptions = { ...options, testTimeout: 300_000, hookTimeout: 300_000 }

/** Tests without servers. Those that try hundreds of inputs take too long to be among them. */
const fast = [
  'test/*.test.ts',
  'test/{calendar,deploy,docs,feeds,languages,links,mutants,records,search,signage,structure,support,syndication,templates,text}/**/!(*.fuzz|*.privacy|*.exhaustive).test.ts',
]

/** Processes, browsers, proxies, package installs, and long simulated days. */
const system = ['test/system/**/*.test.ts']

/** Short files that take long. In a fresh clone, vitest would start them last, because it starts long files first. */
const slow =
  /(days\/(soak|replicas|redis-outage)|hostile-pages|several-hosts|lighthouse|build-release|redis-failover|docs\/sandbox)\.test\.ts$/

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    return [true, false].flatMap((isSlow) =>
      sorted.filter(({ moduleId }) => slow.test(moduleId) === isSlow),
    )
  }
}

/** Tests that change the process for good, such as its time zone rules. */
const isolated = ['test/**/*.installed.test.ts']

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    globalSetup: 'test/support/global-setup.ts',
    // On two cores vitest would start a single worker.
    maxWorkers: 3,
    projects: [
      { test: { ...options, name: 'fast', include: fast, isolate: false } },
      {
        test: {
          ...options,
          name: 'main',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...fast, ...system, ...isolated],
        },
      },
      { test: { ...options, name: 'isolated', include: isolated } },
      { test: { ...systemOptions, name: 'system', include: system, isolate: false } },
      { test: { ...options, name: 'screenshots', include: ['test/**/*.screenshots.ts'] } },
    ],
  },
})
