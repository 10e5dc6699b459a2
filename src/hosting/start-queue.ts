export function createStartQueue(maxConcurrent: number) {
  const waiting: { readonly name: string; readonly run: () => Promise<void> }[] = []
  let running = 0

  async function runAll(): Promise<void> {
    running += 1
    for (let next = waiting.shift(); next; next = waiting.shift()) await next.run()
    running -= 1
  }

  return {
    add: <T>(name: string, start: () => Promise<T>): Promise<T> => {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.push({ name, run: () => start().then(resolve, reject) })
      if (running < maxConcurrent) void runAll()
      return promise
    },
    /** Runs the start of a site right away if it is waiting. */
    runNow: (name: string): void => {
      const index = waiting.findIndex((each) => each.name === name)
      if (index >= 0) for (const { run } of waiting.splice(index, 1)) void run()
    },
    prioritize: (name: string): void => {
      const index = waiting.findIndex((each) => each.name === name)
      if (index > 0) waiting.unshift(...waiting.splice(index, 1))
    },
  }
}
