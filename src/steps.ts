/** Long work that yields after each step, so that something else can go first. */
export type Steps<T> = Generator<undefined, T, undefined>

export type Turns = {
  readonly takeTurn: () => Promise<unknown>
  /** How long the steps of one turn may take, in milliseconds. */
  readonly turnMs?: number
  readonly elapsedMs?: () => number
}

/** Waits for a turn whenever the steps have taken a few milliseconds. */
export async function inTurns<T>(
  steps: Steps<T>,
  { takeTurn, turnMs = 10, elapsedMs = () => performance.now() }: Turns,
): Promise<T> {
  let turnEnds = elapsedMs() + turnMs
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    if (elapsedMs() < turnEnds) continue
    await takeTurn()
    turnEnds = elapsedMs() + turnMs
  }
}

export function atOnce<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

/** Converts one item in each step. */
export function* inSteps<Item, Result>(
  items: Iterable<Item>,
  convert: (item: Item) => Result,
): Steps<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(convert(item))
    yield
  }
  return results
}
