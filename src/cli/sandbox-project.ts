import { resolve } from 'node:path'
import { newProject, readProjectSettings, type TypedSettings } from '../sandbox/project-settings.ts'
import { openDatabase, requireDatabase } from '../sandbox/state/database.ts'
import {
  createProjects,
  type Project,
  type Projects,
  type ProjectSettings,
} from '../sandbox/state/projects.ts'
import { createTokens, tokenLifetimes, type Tokens } from '../sandbox/state/tokens.ts'
import {
  argumentDirectory,
  defineCommand,
  flag,
  requireNoOperands,
  valueOption,
} from './command.ts'
import { UsageError } from './user-errors.ts'

export const command = defineCommand({
  options: {
    'data-dir': valueOption('DIR', 'data directory of the sandbox'),
    name: valueOption('N', 'name of the project'),
    status: valueOption('Enabled|Disabled', ''),
    endpoints: valueOption('a,b', 'allow only these data endpoints; "all" allows every endpoint'),
    ips: valueOption('x,y', 'allow calls only from these IP addresses; "any" allows every address'),
    json: flag('accepted for consistency; the output is always JSON'),
  },
  help: (list) => `Usage: npx feedhouse sandbox project COMMAND --data-dir DIR [options]

Manages the API Projects in a sandbox's data directory. A running sandbox applies changes immediately.
Prints one JSON line per project. add and regenerate also print the refresh token, which is never
shown again.

  add --name N     create a project
  list             list projects
  set ID           change a project
  regenerate ID    create a new refresh token and revoke all access tokens of the project

${list('name', 'status', 'endpoints', 'ips', 'json')}`,
  takesOperands: true,
  async run({ values, operands }, context) {
    const { 'data-dir': dataDirectory, json: _json, ...typed } = values
    const [subcommand = '', ...others] = operands
    if (!dataDirectory)
      throw new UsageError('--data-dir is required: the data directory of a sandbox.')
    const linesOf = workFrom(subcommand, others, typed)
    const directory = resolve(argumentDirectory(context), dataDirectory)
    if (subcommand !== 'add') requireDatabase(directory)
    using database = openDatabase(directory)
    const tokens = createTokens(database, { ...tokenLifetimes, now: Date.now })
    const projects = createProjects(database, { tokens })
    for (const line of linesOf({ projects, tokens })) {
      context.stdout.write(`${JSON.stringify(line)}\n`)
    }
  },
})

type State = { readonly projects: Projects; readonly tokens: Tokens }
type Line = Project & { readonly refreshToken?: string }

/** Validates a command line before the database is opened. Returns the function to run on the database. */
function workFrom(
  subcommand: string,
  operands: readonly string[],
  typed: TypedSettings,
): (state: State) => readonly Line[] {
  const settings = settingsFrom(typed)
  switch (subcommand) {
    case 'add': {
      requireNoOperands(operands)
      if (settings.name === undefined)
        throw new UsageError('--name is required: the name of the project.')
      return ({ projects }) => [projects.add({ ...newProject, ...settings })]
    }
    case 'list':
      requireNoOperands(operands)
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
      throw new UsageError(
        'Usage: npx feedhouse sandbox project add, list, set or regenerate; see --help.',
      )
  }
}

function settingsFrom(typed: TypedSettings): Partial<ProjectSettings> {
  const reading = readProjectSettings(typed)
  if (!reading.ok) throw new UsageError(reading.faults.join('\n'))
  return reading.settings
}

function idFrom([id = '', ...more]: readonly string[]): number {
  requireNoOperands(more)
  if (!/^[1-9]\d{0,14}$/.test(id)) {
    throw new UsageError(
      'The project ID is required: a whole number, as shown by sandbox project list.',
    )
  }
  return Number(id)
}

function found(project: Project | undefined, id: number): Project {
  if (!project) throw new UsageError(`Unknown project: ${id}.`)
  return project
}

function requireNone(typed: TypedSettings): void {
  const [option] = Object.keys(typed)
  if (option !== undefined) throw new UsageError(`--${option} has no effect here; see --help.`)
}
