/** Opens a resource when it is first needed. If that fails, tries again the next time. */
export function openedOnUse<T extends AsyncDisposable>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined
  return {
    opened: (): Promise<T> =>
      (opening ??= open().catch((error: unknown) => {
        opening = undefined
        throw error
      })),
    async [Symbol.asyncDispose]() {
      const opened = await opening?.catch(() => undefined)
      await opened?.[Symbol.asyncDispose]()
    },
  }
}
