export type RedisNode = { readonly host: string; readonly port: number }

export type RedisAddress = {
  readonly kind: keyof typeof examples
  /** The hosts as written in the URL, for messages. */
  readonly hosts: string
  /** The single server, some of the cluster's servers, or the Sentinels. */
  readonly nodes: readonly [RedisNode, ...RedisNode[]]
  readonly isEncrypted: boolean
  readonly login: Login
  readonly database: number
  /** Name under which Sentinel monitors the primary. */
  readonly primary: string
  readonly sentinelLogin: Login
}

type RedisUrlFault = { readonly ok: false; readonly problem: string }

type Login = { readonly username?: string; readonly password?: string }

const urlParts =
  /^redis(?<tls>s?)(?:-(?<kind>cluster|sentinel))?:\/\/(?:(?<login>[^/?#]*)@)?(?<hosts>[^/?#@]+)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/

const examples = {
  server: 'must be the URL of a Redis server, like redis://localhost:6379',
  cluster: 'must list servers of the cluster, like redis-cluster://one:6379,two:6379',
  sentinel:
    'must list Sentinels and end with their name for the primary, like redis-sentinel://one:26379,two:26379/mymaster',
}

/** Parses the URL of a server, a cluster or Sentinels. Describes errors without secrets. */
export function readRedisUrl(
  text: string,
): { readonly ok: true; readonly address: RedisAddress } | RedisUrlFault {
  const {
    tls,
    kind = 'server',
    login = '',
    hosts = '',
    path = '',
    query,
  } = urlParts.exec(text)?.groups ?? {}
  if (!isKind(kind) || tls === undefined) return { ok: false, problem: examples.server }
  const fault: RedisUrlFault = { ok: false, problem: examples[kind] }
  const [, primary = '', database = ''] =
    (kind === 'sentinel' ? /^\/([^/]+)(?:\/(\d+))?$/ : /^()\/?(\d*)$/).exec(path) ?? []
  const hasPath = kind === 'sentinel' ? primary !== '' : /^\/?\d*$/.test(path)
  if (!hasPath || (query !== undefined && kind !== 'sentinel')) return fault
  if (kind === 'cluster' && Number(database) > 0) {
    const problem = 'must not end with a database number: a cluster has only one'
    return { ok: false, problem }
  }
  const defaultPort = kind === 'sentinel' ? 26_379 : 6379
  const [first, ...others] = hosts.split(',').map((host) => nodeFrom(host, defaultPort))
  if (!first || (kind === 'server' && others.length > 0)) return fault
  const nodes: [RedisNode, ...RedisNode[]] = [first]
  for (const node of others) {
    if (!node) return fault
    nodes.push(node)
  }
  const parameters = new URLSearchParams(query)
  try {
    const address = {
      kind,
      hosts,
      nodes,
      isEncrypted: tls === 's',
      login: loginFrom(decoded(login.split(':'))),
      database: Number(database),
      primary: decodeURIComponent(primary),
      sentinelLogin: loginFrom([
        parameters.get('sentinel-user') ?? '',
        parameters.get('sentinel-password') ?? '',
      ]),
    }
    return { ok: true, address }
  } catch {
    return fault
  }
}

function isKind(text: string): text is keyof typeof examples {
  return Object.hasOwn(examples, text)
}

function nodeFrom(text: string, defaultPort: number): RedisNode | undefined {
  const url = URL.parse(`redis://${text}`)
  if (!url || url.host !== text.toLowerCase() || url.hostname === '') return undefined
  // Sockets take an IPv6 address without brackets.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { host, port: url.port === '' ? defaultPort : Number(url.port) }
}

/** Throws if the percent-encoding is invalid. */
function decoded([user = '', ...password]: readonly string[]): readonly string[] {
  return [user, password.join(':')].map(decodeURIComponent)
}

function loginFrom([username = '', password = '']: readonly string[]): Login {
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) }
}
