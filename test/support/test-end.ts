import { AsyncLocalStorage } from 'node:async_hooks'
import { aroundEach, onTestFinished, type TestContext } from 'vitest'

const contexts = new AsyncLocalStorage<TestContext>()

/** Lets `atTestEnd` tell the tests of this file apart while they run at the same time. */
export function allowConcurrentTests(): void {
  aroundEach((runTest, context) => contexts.run(context, runTest))
}

/** Runs `end` after the current test. The last resource is released first. */
export function atTestEnd(end: () => unknown): void {
  const register = contexts.getStore()?.onTestFinished ?? onTestFinished
  register(async () => void (await end()))
}
