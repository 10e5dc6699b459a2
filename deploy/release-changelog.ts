// Gives the section "Unreleased" of CHANGELOG.md the version and date of a release. `npm version` runs this
// before it changes anything else.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const heading = '## Unreleased'

/**
 * Returns the changelog with the unreleased changes in a section for the version, below an empty section for
 * later changes. Throws if there are no unreleased changes, or if the version already has a section.
 */
export function releasedChangelog(
  changelog: string,
  { version, date }: { readonly version: string; readonly date: string },
): string {
  const [before, ...sections] = changelog.split(/^(?=## )/m)
  const [unreleased = '', ...released] = sections
  if (!unreleased.startsWith(`${heading}\n`)) {
    throw new Error(`CHANGELOG.md must start with the section "${heading}".`)
  }
  if (!/^- /m.test(unreleased)) {
    throw new Error(
      `CHANGELOG.md lists no changes below "${heading}". Add them, then run npm again.`,
    )
  }
  if (released.some((section) => section.startsWith(`## ${version} `))) {
    throw new Error(`CHANGELOG.md already has a section for version ${version}.`)
  }
  const changes = unreleased.slice(heading.length)
  return `${before}${heading}\n\n## ${version} (${date})${changes}${released.join('')}`
}

if (import.meta.main) {
  const file = resolve(import.meta.dirname, '../CHANGELOG.md')
  const version = process.argv[2] ?? ''
  const date = new Date().toISOString().slice(0, 10)
  try {
    if (version === '') throw new Error('Run npm version major, minor or patch instead.')
    writeFileSync(file, releasedChangelog(readFileSync(file, 'utf8'), { version, date }))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
