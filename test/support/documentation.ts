import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/* Parsers for the project's documentation. */

export const root = resolve(import.meta.dirname, '../..')

export type Document = {
  /** Path relative to the root of the project, like `docs/links.md`. */
  readonly file: string
  readonly text: string
}

export const documents: readonly Document[] = globSync(
  [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'CODE_OF_CONDUCT.md',
    'docs/**/*.md',
  ],
  { cwd: root },
)
  .sort()
  .map((file) => ({ file, text: readFileSync(resolve(root, file), 'utf8') }))

export function documentOf(file: string): string {
  const found = documents.find((document) => document.file === file)
  if (!found) throw new TypeError(`there is no ${file}`)
  return found.text
}

export type Block = { readonly language: string; readonly lines: readonly string[] }

/** Returns all fenced code blocks without their indentation, including blocks in lists. */
export function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^( *)```(\w*)[^\n]*\n([\s\S]*?)^\1```$/gm)].map(
    ([, indentation = '', language = '', content = '']) => ({
      language,
      lines: content
        .split('\n')
        .slice(0, -1)
        .map((line) => line.slice(indentation.length)),
    }),
  )
}

/** Returns the commands in `sh` blocks. Joins continued lines and removes comments. */
export function commandsOf(text: string): readonly string[] {
  return blocksOf(text)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ lines }) =>
      lines
        .join('\n')
        .replaceAll(/\\\n\s*/g, '')
        .split('\n'),
    )
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

/** Returns the text outside of fenced blocks. */
export function proseOf(text: string): string {
  return text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
}

/** Returns the contents of code spans. */
export function codeOf(text: string): readonly string[] {
  return [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

/** Returns the targets of links within the project, like `links.md#feed-links`. */
export function ownLinksOf(text: string): readonly string[] {
  return [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
}

/** Returns the anchors that GitHub generates for headings. */
export function anchorsOf(text: string): readonly string[] {
  const headings = [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return headings.map((anchor, index) => {
    const before = headings.slice(0, index).filter((other) => other === anchor).length
    return before === 0 ? anchor : `${anchor}-${before}`
  })
}

export type Row = Readonly<Record<string, string>>

/** Returns the rows in the first table after a heading. Each row maps column names to cells. */
export function tableAfter(heading: string, text: string): readonly Row[] {
  const [, after = ''] = text.split(`\n${heading}\n`)
  const [table = ''] = /(?:^\|.*\n)+/m.exec(after) ?? []
  const [head = [], , ...rows] = table.trimEnd().split('\n').map(cellsOf)
  return rows.map((cells) =>
    Object.fromEntries(head.map((name, index) => [name.replaceAll('`', ''), cells[index] ?? ''])),
  )
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}
