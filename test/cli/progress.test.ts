import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createOutput } from '../../src/cli/output.ts'
import { showProgress } from '../../src/cli/progress.ts'

const clearLine = '\r\u001B[K'

/** Returns an output, and what has been written to it. */
function outputWith(more: object) {
  const stream = Object.assign(new PassThrough(), more)
  return { output: createOutput(stream), written: () => String(stream.read() ?? '') }
}

const terminal = { isTTY: true, columns: 30 }

function progressOn(stdout: object, stderr: object, options: { readonly json?: boolean } = {}) {
  const { output, written } = outputWith(stderr)
  const progress = showProgress({ stdout: outputWith(stdout).output, stderr: output }, options)
  return { progress, written }
}

test('shows the progress, total and elapsed time in one terminal line', () => {
  const { progress, written } = progressOn(terminal, terminal)
  using disposable = progress
  disposable.report('Writing files', 12, 80)
  expect(written().split(clearLine)).toEqual([
    '',
    expect.stringMatching(/^Writing files: 12 of 80, \d+ s$/),
  ])
  // The line changes only a few times a second.
  disposable.report('Writing files', 13, 80)
  expect(written()).toBe('')
  disposable.clear()
  expect(written()).toBe(clearLine)
  disposable.report('Backing up', 70_000)
  expect(written()).toMatch(/Backing up: 70000, \d+ s$/)
  disposable.clear()
  disposable.report('A step with a name that is longer than the terminal is wide')
  expect(written().split('\u001B[K').at(-1)).toHaveLength(terminal.columns - 1)
})

test('removes the line at the end, and leaves nothing where there was none', () => {
  const { progress, written } = progressOn(terminal, terminal)
  progress.report('Restoring', 1, 2)
  written()
  progress[Symbol.dispose]()
  expect(written()).toBe(clearLine)
  const other = progressOn(terminal, terminal)
  other.progress[Symbol.dispose]()
  expect(other.written()).toBe('')
})

test.for([
  { stdout: {}, stderr: terminal, options: {} },
  { stdout: terminal, stderr: {}, options: {} },
  { stdout: terminal, stderr: terminal, options: { json: true } },
])('shows nothing if output is piped, or with --json: $options', (each) => {
  const { progress, written } = progressOn(each.stdout, each.stderr, each.options)
  progress.report('Writing files', 12, 80)
  progress[Symbol.dispose]()
  expect(written()).toBe('')
})
