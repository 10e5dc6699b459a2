import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { releasedChangelog } from '../../deploy/release-changelog.ts'
import { root } from '../support/documentation.ts'

const release = { version: '1.2.3', date: '2026-03-05' }

const before = `# Changelog

## Unreleased

### Pages

- The agenda has a search field.

## 1.2.2 (2026-02-01)

- Faster starts.
`

const after = `# Changelog

## Unreleased

## 1.2.3 (2026-03-05)

### Pages

- The agenda has a search field.

## 1.2.2 (2026-02-01)

- Faster starts.
`

test('moves the unreleased changes to a section with the version and date', () => {
  expect(releasedChangelog(before, release)).toBe(after)
})

test('rejects a release without changes', () => {
  const next = { ...release, version: '1.2.4' }
  expect(() => releasedChangelog(after, next)).toThrow('lists no changes below "## Unreleased"')
  const onlyHeadings = before.replace('- The agenda has a search field.\n', '')
  expect(() => releasedChangelog(onlyHeadings, next)).toThrow('lists no changes')
})

test('rejects a version that already has a section', () => {
  const again = { ...release, version: '1.2.2' }
  expect(() => releasedChangelog(before, again)).toThrow('already has a section for version 1.2.2')
})

test('rejects a changelog whose first section is a release', () => {
  const changelog = before.replace('## Unreleased', '## 1.2.3 (2026-03-05)')
  expect(() => releasedChangelog(changelog, release)).toThrow('must start with')
})

test('finds the section Unreleased in the current changelog', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  expect(changelog).toMatch(/^# Changelog\n\n## Unreleased\n/)
})

test('describes each change in a line or two', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const entries = [...changelog.matchAll(/^- (?:.|\n {2})*/gm)].map(([entry]) => entry)
  expect(entries.length).toBeGreaterThan(20)
  expect(entries.filter((entry) => entry.length > 200)).toEqual([])
})
