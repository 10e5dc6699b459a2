import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Words that native speakers have replaced with another word that was already in use. */
const replaced = {
  de: /\bNews\b|Miettermin|Schaltfläche öffnet eine Seite/,
  es: /Búsqueda|\bplazas?\b|\bactos?\b|\bactividad(?:es)?\b(?! más reciente)/,
} as const

test.for(Object.entries(replaced))('texts in %s use one word for each thing', ([language, old]) => {
  const files = globSync(`src/**/messages/**/${language}.ts`, { cwd: root })
  const found = files.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.filter((line) => old.test(line)).map((line) => `${file}: ${line.trim()}`)
  })
  expect(files.length).toBeGreaterThan(8)
  expect(found).toEqual([])
})
