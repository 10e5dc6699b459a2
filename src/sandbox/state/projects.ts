import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { ResourceName } from '../resources/resources.ts'
import type { Tokens } from './tokens.ts'
import { inTransaction } from './transaction.ts'

/** An API Project with permissions by endpoint and IP address. */
export type Project = {
  readonly id: number
  readonly name: string
  readonly status: 'Enabled' | 'Disabled'
  /** Data endpoints that the project may read. */
  readonly endpoints: readonly ResourceName[] | 'all'
  /** IP addresses that may make calls. */
  readonly ips: readonly string[] | 'any'
}

export type ProjectSettings = Omit<Project, 'id'>

/** A project with its new refresh token. Only a hash of the token is stored. */
export type NewProject = Project & { readonly refreshToken: string }

export type Projects = {
  readonly all: () => readonly Project[]
  readonly find: (id: number) => Project | undefined
  readonly add: (settings: ProjectSettings) => NewProject
  /** Changes some settings. Returns undefined for an unknown project. */
  readonly set: (id: number, changes: Partial<ProjectSettings>) => Project | undefined
}

type Row = Readonly<Record<string, SQLOutputValue>>

/**
 * Manages API Projects. Does not cache the projects, because another process may change the
 * database.
 */
export function createProjects(
  database: DatabaseSync,
  { tokens }: { readonly tokens: Tokens },
): Projects {
  const selectAll = database.prepare('SELECT * FROM projects ORDER BY id')
  const select = database.prepare('SELECT * FROM projects WHERE id = ?')
  const insert = database.prepare(
    'INSERT INTO projects (name, status, endpoints, ips) VALUES (?, ?, ?, ?) RETURNING *',
  )
  const update = database.prepare(
    'UPDATE projects SET name = ?, status = ?, endpoints = ?, ips = ? WHERE id = ? RETURNING *',
  )

  function find(id: number): Project | undefined {
    const row = select.get(id)
    return row && projectFrom(row)
  }

  return {
    all: () => selectAll.all().map(projectFrom),
    find,
    add: (settings) =>
      inTransaction(database, () => {
        const project = projectFrom(insert.get(...columnsFrom(settings)) ?? {})
        return { ...project, refreshToken: tokens.regenerate(project.id) }
      }),
    set: (id, changes) =>
      inTransaction(database, () => {
        const project = find(id)
        const row = project && update.get(...columnsFrom({ ...project, ...changes }), id)
        return row && projectFrom(row)
      }),
  }
}

function columnsFrom({ name, status, endpoints, ips }: ProjectSettings) {
  return [
    name,
    status,
    endpoints === 'all' ? null : JSON.stringify(endpoints),
    ips === 'any' ? null : JSON.stringify(ips),
  ] as const
}

function projectFrom({ id, name, status, endpoints, ips }: Row): Project {
  return {
    id: Number(id),
    name: String(name),
    status: status === 'Enabled' ? 'Enabled' : 'Disabled',
    endpoints: typeof endpoints === 'string' ? JSON.parse(endpoints) : 'all',
    ips: typeof ips === 'string' ? JSON.parse(ips) : 'any',
  }
}
