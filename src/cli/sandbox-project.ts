import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { newProject, readProjectSettings, type TypedSettings } from '../sandbox/project-settings.ts'
import { openDatabase, requireDatabase } from '../sandbox/state/database.ts'
import {
  createProjects,
  type Project,
  type Projects,
  type ProjectSettings,
} from '../sandbox/state/projects.ts'
import { createTokens, tokenLifetimes, type Tokens } from '../sandbox/state/tokens.ts'
import { argumentDirectory, type Command } from './command.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse sandbox project COMMAND --data-dir DIR [options]

Manages the API Projects of a sandbox's data directory; a running sandbox sees a change at once.
Prints one JSON line per project; add and regenerate print the refresh token, this once.

  add --name N     makes a project
  list             lists them
  set ID           changes a project
  regenerate ID    makes a new refresh token and revokes all access tokens of the project

  --name N                    its name
  --status Enabled|Disabled
  --endpoints a,b             limits it to these data endpoints; all lifts the limit
  --ips x,y                   limits it to calls from these IP addresses; any lifts the limit
  --json                      changes nothing: what is printed is JSON
`

const run: Command['run'] = async (args, context) => {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'data-dir': text,
      name: text,
      status: text,
      endpoints: text,
      ips: text,
      json: { type: 'boolean' },
    },
  })
  const { 'data-dir': dataDirectory, json: _json, ...typed } = values
  const [command = '', ...operands] = positionals
  if (!dataDirectory) throw new UsageError('--data-dir must name the data directory of a sandbox.')
  const linesOf = commandOf(command, operands, typed)
  const directory = resolve(argumentDirectory(context), dataDirectory)
  if (command !== 'add') requireDatabase(directory)
  using database = openDatabase(directory)
  const tokens = createTokens(database, { ...tokenLifetimes, now: Date.now })
  const projects = createProjects(database, { tokens })
  for (const line of linesOf({ projects, tokens })) {
    context.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

export const sandboxProjectCommand: Command = { help, run }

type State = { readonly projects: Projects; readonly tokens: Tokens }
type Line = Project & { readonly refreshToken?: string }

/** What a command line asks for, checked before anything is opened. */
function commandOf(
  command: string,
  operands: readonly string[],
  typed: TypedSettings,
): (state: State) => readonly Line[] {
  const settings = settingsFrom(typed)
  switch (command) {
    case 'add': {
      requireNoMore(operands)
      if (settings.name === undefined) throw new UsageError('--name must name the project.')
      return ({ projects }) => [projects.add({ ...newProject, ...settings })]
    }
    case 'list':
      requireNoMore(operands)
      requireNone(typed)
      return ({ projects }) => projects.all()
    case 'set': {
      const id = idFrom(operands)
      return ({ projects }) => [found(projects.set(id, settings), id)]
    }
    case 'regenerate': {
      const id = idFrom(operands)
      requireNone(typed)
      return ({ projects, tokens }) => {
        const project = found(projects.find(id), id)
        return [{ ...project, refreshToken: tokens.regenerate(id) }]
      }
    }
    default:
      throw new UsageError(`sandbox project takes add, list, set or regenerate; see --help.`)
  }
}

function settingsFrom(typed: TypedSettings): Partial<ProjectSettings> {
  const reading = readProjectSettings(typed)
  if (!reading.ok) throw new UsageError(reading.faults.join('\n'))
  return reading.settings
}

function idFrom([id = '', ...more]: readonly string[]): number {
  requireNoMore(more)
  if (!/^[1-9]\d{0,14}$/.test(id)) {
    throw new UsageError('The ID of the project must follow, a whole number; list shows it.')
  }
  return Number(id)
}

function found(project: Project | undefined, id: number): Project {
  if (!project) throw new UsageError(`There is no project ${id}.`)
  return project
}

function requireNoMore(operands: readonly string[]): void {
  if (operands.length > 0) throw new UsageError(`${operands[0]} is not expected; see --help.`)
}

function requireNone(typed: TypedSettings): void {
  const [option] = Object.keys(typed)
  if (option !== undefined) throw new UsageError(`--${option} changes nothing here; see --help.`)
}
