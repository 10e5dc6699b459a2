import { expect, test } from 'vitest'
import { boardBuild, boardGuard } from '../../../src/features/board/board-assets.ts'

/* Old browsers run no script with syntax that they don't know. `npm run engines` opens boards in some. */

const { files, worker } = boardBuild()
const scripts = files
  .filter(({ name }) => name.endsWith('.js'))
  .map(({ bytes }) => bytes.toString())

/** Syntax and methods from after Chromium 68, which `board-fallbacks.js` does not add. */
const tooNew =
  /\?\.[a-z([]|\?\?|\|\|=|&&=|\(\?<[=!]|\.(?:replaceAll|findLast|toSorted|toReversed|hasOwn|groupBy|allSettled|fromEntries|structuredClone|replaceChildren|any)\(|\bglobalThis\b|\bWeakRef\b/

test('builds scripts without syntax and methods that the oldest browsers lack', () => {
  expect(files.map(({ name }) => name)).toEqual(['board.js', 'board-ended.js', 'board.css'])
  const found = [...scripts, worker].flatMap((text) => tooNew.exec(text)?.[0] ?? [])
  expect(found).toEqual([])
})

test('builds styles with all four sides instead of `inset`', () => {
  const style = files.find(({ name }) => name === 'board.css')?.bytes.toString() ?? ''
  expect(style).toMatch(/top:0;right:0;bottom:0;left:0/)
  expect(style.replace('@supports not (inset:0)', '')).not.toMatch(/[{;]inset:/)
})

test('guards boards with ECMAScript 5', () => {
  expect(boardGuard.text).not.toMatch(/=>|\b(?:let|const|class|async)\b|`|\?\.|\.\.\./)
})
