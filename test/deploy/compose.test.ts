import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../../src/config/config.ts'
import { filesWithImage, imageNameFrom, withImageName } from '../../deploy/image-name.ts'
import { isLeftOut, readInstructions, wordsOf } from '../../deploy/dockerfile.ts'
import { commandsOf, documentOf, root } from '../support/documentation.ts'
import { environmentNames } from '../support/settings.ts'
import { testDirectory } from '../support/service.ts'

const text = readFileSync(join(root, 'compose.yaml'), 'utf8')
const compose: unknown = parse(text, { merge: true })

const name = z.string().regex(/^[a-z][a-z0-9-]*$/)
const words = z.array(z.string()).min(1)
const duration = z.string().regex(/^\d+(?:s|m)$/)
const size = z.string().regex(/^\d+[km]$/)

/**
 * Subset of the Compose specification that compose.yaml uses. Add new keys here before you use
 * them.
 */
const service = z.strictObject({
  restart: z.literal('unless-stopped'),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  cap_add: z.tuple([z.literal('NET_BIND_SERVICE')]).optional(),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  pids_limit: z.int().positive(),
  logging: z.strictObject({
    driver: z.literal('local'),
    options: z.strictObject({ 'max-size': size, 'max-file': z.string().regex(/^\d$/) }),
  }),
  build: z
    .union([z.literal('.'), z.strictObject({ context: z.literal('.'), dockerfile: z.string() })])
    .optional(),
  image: z.string().regex(/^[a-z-]+(?::\d+-alpine)?$|^ghcr\.io\//),
  init: z.literal(true).optional(),
  user: name.optional(),
  command: words.optional(),
  env_file: z.literal('.env').optional(),
  environment: z.record(z.string(), z.string()).optional(),
  secrets: z.array(name).optional(),
  tmpfs: words.optional(),
  mem_limit: size,
  stop_grace_period: duration.optional(),
  depends_on: z
    .union([
      z.array(name),
      z.record(name, z.strictObject({ condition: z.literal('service_healthy') })),
    ])
    .optional(),
  ports: words.optional(),
  volumes: words.optional(),
  networks: z.array(name).min(1),
  healthcheck: z.union([
    z.strictObject({
      test: words,
      interval: duration,
      timeout: duration,
      start_period: duration,
      start_interval: duration,
    }),
    // The image sets the rest.
    z.strictObject({ start_period: duration, start_interval: duration }),
  ]),
})
const schema = z.looseObject({
  name,
  services: z.record(name, service),
  secrets: z.record(name, z.strictObject({ file: z.string().startsWith('./secrets/') })),
  networks: z.record(name, z.strictObject({ internal: z.literal(true) }).nullable()),
  volumes: z.record(name, z.null()),
})
const { services, secrets, networks, volumes, ...others } = schema.parse(compose)
const image = imageNameFrom(readFileSync(join(root, 'package.json'), 'utf8'))
const replicas = Object.entries(services).filter(([, service]) => service.image === image)

test('compose.yaml defines every name that it uses', () => {
  const extensions = Object.keys(others).filter((key) => key !== 'name')
  expect(extensions.filter((key) => !key.startsWith('x-'))).toEqual([])
  for (const used of Object.values(services)) {
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining([...(used.secrets ?? [])]))
    expect(Object.keys(networks)).toEqual(expect.arrayContaining(used.networks))
    const needed = used.depends_on ?? []
    const neededNames = Array.isArray(needed) ? needed : Object.keys(needed)
    expect(Object.keys(services)).toEqual(expect.arrayContaining(neededNames))
    for (const volume of used.volumes ?? []) {
      const [source = ''] = volume.split(':')
      expect([...Object.keys(volumes), './files']).toContain(source)
    }
  }
})

test('both replicas use the image of the release, which the first one can also build', () => {
  expect(replicas.map(([replica]) => replica)).toEqual(['feedhouse-1', 'feedhouse-2'])
  const [first, second] = replicas.map(([, { build, ...rest }]) => ({ build, rest }))
  expect(first?.build).toBe('.')
  expect(second).toEqual({ build: undefined, rest: first?.rest })
})

test.for(filesWithImage)('%s names the image of this version', (file) => {
  const written = readFileSync(join(root, file), 'utf8')
  expect(written).toContain(image)
  expect(withImageName(written, image)).toBe(written)
  expect(withImageName(written, 'ghcr.io/x/feedhouse:1.2.3')).not.toContain(image)
})

test('an update waits only until the services have started', () => {
  for (const { healthcheck } of Object.values(services)) {
    expect(healthcheck).toMatchObject({ start_interval: '1s' })
  }
})

test('an update pulls or builds every image, and replaces the replicas and their dependencies', () => {
  // Chained, because a replica that does not start must stop the update.
  const update = commandsOf(documentOf('docs/deploy.md')).find((command) =>
    command.includes('&& docker compose up -d --wait feedhouse-1'),
  )
  const commands = update?.split(' && ') ?? []
  expect(commands.slice(0, 2)).toEqual([
    'docker compose pull feedhouse-1 redis',
    'docker compose build --pull caddy',
  ])
  // With --no-deps, Compose before 2.29.3 changes the hash of a service, and the last command
  // replaces both replicas and Caddy simultaneously.
  expect(commands.filter((command) => command.includes('--no-deps'))).toEqual([])
  expect(commands.slice(-3)).toEqual([
    ...replicas.map(([name]) => `docker compose up -d --wait ${name}`),
    'docker compose up -d --wait',
  ])
})

test('Caddy can read its Caddyfile regardless of the umask of the clone', () => {
  expect(services['caddy']?.build).toEqual({
    context: '.',
    dockerfile: 'deploy/Dockerfile.caddy',
  })
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile.caddy'), 'utf8')
  const [from, copy] = readInstructions(dockerfile)
  expect(from?.argument).toBe('caddy:2-alpine')
  const { flags, words } = wordsOf(copy ?? { line: 0, name: '', argument: '' })
  const [source = '', target] = words
  expect({ flags, target }).toEqual({ flags: ['--chmod=644'], target: '/etc/caddy/Caddyfile' })
  expect(existsSync(join(root, source))).toBe(true)
  expect(isLeftOut(readFileSync(join(root, '.dockerignore'), 'utf8'), source)).toBe(false)
})

test('Redis and the replicas cannot be reached from outside, and Caddy forwards to both replicas', () => {
  const published = Object.entries(services).filter(([, { ports }]) => ports)
  expect(published.map(([service]) => service)).toEqual(['caddy'])
  expect(services['redis']?.networks.filter((network) => !networks[network]?.internal)).toEqual([])
  const { environment = {} } = services['caddy'] ?? {}
  const addresses = replicas.map(([replica, { environment: own }]) => `${replica}:${own?.['PORT']}`)
  expect(environment['FEEDHOUSE_REPLICAS']?.split(' ')).toEqual(addresses)
  const caddyfile = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8')
  for (const variable of Object.keys(environment)) expect(caddyfile).toContain(`{$${variable}`)
})

test('Redis reads its password from a file that no other service mounts', () => {
  const { command, secrets: given } = services['redis'] ?? {}
  expect(command?.slice(0, 2)).toEqual(['redis-server', '/run/secrets/redis-conf'])
  expect(given).toEqual(['redis-conf'])
  const others = Object.entries(services).filter(([service]) => service !== 'redis')
  expect(others.filter(([, { secrets: own }]) => own?.includes('redis-conf'))).toEqual([])
})

test('replicas can read files named in settings, in the documented directory', () => {
  for (const [, { volumes: mounted }] of replicas) {
    expect(mounted).toContain('./files:/files:ro')
  }
  const steps = documentOf('docs/deploy.md')
  for (const words of ['\ninstall -d files\n', '`SITE_CA_FILE=/files/'])
    expect(steps).toContain(words)
})

test('the replicas have only valid settings', () => {
  const [[, replica] = []] = replicas
  const given = Object.entries(replica?.environment ?? {})
  const others = given.map(([key]) => key).filter((key) => !environmentNames.includes(key))
  expect(others).toEqual(['FEEDHOUSE_PLATFORM'])
  const directory = testDirectory()
  for (const secret of Object.keys(secrets)) {
    const value = secret === 'redis-url' ? 'redis://:a-long-secret@redis:6379' : 'a-long-secret'
    writeFileSync(join(directory, secret), value)
  }
  const interpolated = given.map(([key, value]) => [
    key,
    value
      .replace(/^\$\{PUBLIC_URL:\?.*\}$/, 'https://feeds.example.org')
      .replace(/^\$\{TRUST_PROXY:-(.*)\}$/, '$1')
      .replace(/^\/run\/secrets/, directory),
  ])
  const environment = { SITE_URL: 'https://www.example.org', SITE_TIME_ZONE: 'America/New_York' }
  expect(readConfig({ ...environment, ...Object.fromEntries(interpolated) })).toMatchObject({
    site: { refreshToken: 'a-long-secret' },
    adminPassword: 'a-long-secret',
    publicUrl: 'https://feeds.example.org',
    redisUrl: 'redis://:a-long-secret@redis:6379',
    host: '0.0.0.0',
    proxies: 1,
  })
})
