import type { Page } from 'playwright-core'

/** Computed styles and size of an element. */
export type Look = Readonly<Record<string, string>>

/** Returns the computed styles and sizes of all elements that a script selects. */
export const looksOf = (page: Page, elements: string) =>
  page.evaluate<readonly Look[]>(`${elements}.map((element) => {
    const style = getComputedStyle(element)
    const { width, height } = element.getBoundingClientRect()
    const names = [...style].filter((name) => !name.startsWith('--'))
    const own = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]))
    return { ...own, element: element.tagName, box: width + 'x' + height }
  })`)

/** Describes what differs between the same elements on two pages. */
export const differences = (some: readonly Look[], others: readonly Look[]) =>
  some.flatMap((look, index) =>
    Object.entries(look)
      .filter(([name, value]) => others[index]?.[name] !== value)
      .map(([name, value]) => `${look['element']} ${name}: ${value}, ${others[index]?.[name]}`),
  )
