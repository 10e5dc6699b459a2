import type { TypedSettings } from '../project-settings.ts'
import type { Project } from '../state/projects.ts'

/** A project's settings as shown and submitted by its form. */
export type ProjectForm = {
  readonly name: string
  readonly status: string
  readonly access: string
  /** Selected endpoints, regardless of `access`. */
  readonly endpoints: readonly string[]
  /** IP addresses, one per line. An empty string allows any address. */
  readonly ips: string
}

export function projectFormOf({ name, status, endpoints, ips }: Project): ProjectForm {
  return {
    name,
    status,
    access: endpoints === 'all' ? 'all' : 'some',
    endpoints: endpoints === 'all' ? [] : endpoints,
    ips: ips === 'any' ? '' : ips.join('\n'),
  }
}

export function projectFormFrom(sent: URLSearchParams): ProjectForm {
  return {
    name: sent.get('name') ?? '',
    status: sent.get('status') ?? '',
    access: sent.get('access') ?? '',
    endpoints: sent.getAll('endpoint'),
    ips: sent.get('ips') ?? '',
  }
}

export function typedSettingsOf(form: ProjectForm): TypedSettings {
  const { name, status, access, endpoints, ips } = form
  return {
    name,
    status,
    endpoints: access === 'all' ? 'all' : endpoints.join(),
    ips: ips.trim() === '' ? 'any' : ips,
  }
}
