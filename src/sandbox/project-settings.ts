import { BlockList, isIP } from 'node:net'
import { isResourceName, resourceNames } from './resources/resources.ts'
import type { Project, ProjectSettings } from './state/projects.ts'

const maxNameLength = 100
const maxIps = 100

/** Default settings for a new project. */
export const newProject = { name: '', status: 'Enabled', endpoints: 'all', ips: 'any' } as const

/** Project settings as entered, with list items separated by commas or whitespace. */
export type TypedSettings = { readonly [Key in keyof ProjectSettings]?: string | undefined }

type Reading =
  | { readonly ok: true; readonly settings: Partial<ProjectSettings> }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Reads the given settings. Each error is a sentence. */
export function readProjectSettings({ name, status, endpoints, ips }: TypedSettings): Reading {
  const faults: string[] = []
  const settings = {
    ...(name === undefined ? {} : { name: readName(name, faults) }),
    ...(status === undefined ? {} : { status: readStatus(status, faults) }),
    ...(endpoints === undefined ? {} : { endpoints: readEndpoints(endpoints, faults) }),
    ...(ips === undefined ? {} : { ips: readIps(ips, faults) }),
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, settings }
}

/** Returns true if a project allows calls from an IP address. Treats IPv4-mapped addresses as IPv4. */
export function mayCallFrom({ ips }: Project, address: string): boolean {
  if (ips === 'any') return true
  const allowed = new BlockList()
  for (const ip of ips) allowed.addAddress(ip, family(ip))
  return isIP(address) !== 0 && allowed.check(address, family(address))
}

function readName(text: string, faults: string[]): string {
  const name = text.trim()
  if (name === '') faults.push('The name is empty.')
  if (name.length > maxNameLength)
    faults.push(`The name is longer than ${maxNameLength} characters.`)
  return name
}

function readStatus(text: string, faults: string[]): Project['status'] {
  if (text !== 'Enabled' && text !== 'Disabled') {
    faults.push(`The status must be Enabled or Disabled, not ${text}.`)
  }
  return text === 'Disabled' ? 'Disabled' : 'Enabled'
}

function readEndpoints(text: string, faults: string[]): Project['endpoints'] {
  if (text.trim() === 'all') return 'all'
  const names = listFrom(text)
  for (const name of names.filter((name) => !isResourceName(name))) {
    faults.push(`Unknown endpoint ${name}; endpoints are ${resourceNames.join(', ')}.`)
  }
  if (names.length === 0) faults.push('No endpoint is listed. Allow all, or list some.')
  return names.filter(isResourceName)
}

function readIps(text: string, faults: string[]): Project['ips'] {
  if (text.trim() === 'any') return 'any'
  const ips = listFrom(text)
  for (const ip of ips.filter((ip) => isIP(ip) === 0)) faults.push(`${ip} is not an IP address.`)
  if (ips.length === 0) faults.push('No IP address is listed. Allow any, or list some.')
  if (ips.length > maxIps) faults.push(`There are more than ${maxIps} IP addresses.`)
  return ips
}

function listFrom(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((item) => item !== ''))]
}

function family(ip: string): 'ipv4' | 'ipv6' {
  return isIP(ip) === 6 ? 'ipv6' : 'ipv4'
}
