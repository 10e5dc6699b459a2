import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/documentation.ts'
import { run } from '../support/documented-commands.ts'
import { installedPrograms } from '../support/programs.ts'

/** Programs on a Debian machine that has only Git and npm, and words of the shell. */
const standard =
  `bash cat cd chmod chroot cp do done echo for git grep head id install ln ls mkdir mount mv
  node npm npx readlink rm sed seq sh tar tee test tr umask umount`.split(/\s+/)

/** Tests replace these, or skip what needs Docker. */
const notNeeded = ['docker', 'feedhouse', 'systemctl', 'useradd']

test('CI installs exactly the programs that tests start', () => {
  const started = new Set([...startedByTests(), ...startedByCommands()])
  const others = [...started].filter((name) => ![...standard, ...notNeeded].includes(name))
  expect(others.toSorted()).toEqual([...installedPrograms].toSorted())
})

/** Names that tests pass to functions which start or look for a program. */
function startedByTests(): readonly string[] {
  const starts =
    /\b(?:spawn|spawnSync|execFile|execFileSync|programIsMissing|programPath)\(\s*'([^']+)'/g
  return globSync('test/**/*.ts', { cwd: root, exclude: ['**/node_modules'] }).flatMap((file) =>
    matchesIn(readFileSync(join(root, file), 'utf8'), starts),
  )
}

/** Names of programs in the documented commands, which tests run. */
function startedByCommands(): readonly string[] {
  const starts = /(?:^|[|;&(]|\bdo\b)\s*(?:[A-Z_]+=[^\s(]*\s+)*(?:sudo\s+)?([a-z][\w-]*)/g
  return run.flatMap((command) => matchesIn(command.replaceAll(/'[^']*'|"[^"$]*"/g, 'x'), starts))
}

function matchesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name)
}
