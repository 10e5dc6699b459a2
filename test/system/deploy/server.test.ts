import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { lists } from '../../support/documented-commands.ts'
import { blocksOf, documentOf } from '../../support/documentation.ts'
import { npmForTests, programIsMissing } from '../../support/programs.ts'
import { redisIsMissing } from '../../support/redis.ts'
import { author, makeRepository, npmEnvironment } from '../../support/repository.ts'
import { startRedis } from '../../support/redis-server.ts'
import { settingsFor } from '../../support/sandbox.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { openShell, unexpectedResults } from '../../support/shell.ts'
import { withReplacements } from '../../support/replacements.ts'

/** The first installation downloads packages from the registry or copies them from npm's cache. */
const installMs = 240_000

const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]

test.skipIf(programIsMissing('openssl'))(
  'the commands in docs/deploy.md install everything for systemd, nginx and Caddy',
  { timeout: installMs },
  async () => {
    using server = temporaryDirectory()
    using repository = temporaryDirectory()
    makeRepository(repository.path)
    const at = (path: string) => join(server.path, path)
    // On a real server, system packages create these.
    for (const path of [
      '/etc/systemd/system',
      '/etc/nginx/conf.d',
      '/etc/nginx/sites-enabled',
      '/etc/caddy',
      '/usr/local/bin',
      '/var/backups',
      '/var/lib',
      '/home/x',
      '/opt',
    ])
      mkdirSync(at(path), { recursive: true })
    execFileSync('git', ['clone', '-q', repository.path, at('/home/x/feedhouse')])
    for (const name of ['.env', 'refresh-token'])
      writeFileSync(at(`/home/x/feedhouse/${name}`), `${name} of the clone`)
    writeFileSync(at('/etc/nginx/sites-enabled/default'), 'server { listen 80 default_server; }')
    // As Debian installs it.
    const main = 'worker_processes auto;\nevents {\n\tworker_connections 768;\n}\n'
    writeFileSync(at('/etc/nginx/nginx.conf'), main)
    await using shell = openShell({
      ...npmEnvironment,
      HOME: homedir(),
      USER: String(uid),
      PATH: `${npmForTests}:${process.env['PATH']}:/usr/sbin`,
      // In this test, the sources and Node's compile cache are in other directories.
      NODE_COMPILE_CACHE: at('/var/cache/node'),
    })
    const changes = {
      'sudo feedhouse ': 'sudo /usr/local/bin/feedhouse ',
      'sudo systemctl ': 'true ',
      'sudo ': '',
      'git pull': `git -C ${repository.path} ${author.join(' ')} commit -q --allow-empty -m y && git pull`,
      '-o root -g feedhouse': `-o ${uid} -g ${gid}`,
      '-o feedhouse -g feedhouse': `-o ${uid} -g ${gid}`,
      useradd: `useradd --prefix ${server.path}`,
      ...Object.fromEntries(
        ['/opt/feedhouse', '/etc/', '/usr/local/bin/', '/var/backups/', '/var/lib/'].map((path) => [
          path,
          at(path),
        ]),
      ),
    }
    // Only root can add users, even in a separate directory.
    const steps = lists.onServer.filter(({ command }) => uid === 0 || !command.includes('useradd'))
    const inClone = [{ command: `cd ${at('/home/x/feedhouse')}`, prints: /^$/ }, ...steps]
    expect(await unexpectedResults(shell, inClone, changes)).toEqual([])
    const contentOf = (path: string) => readFileSync(at(path), 'utf8')
    const modeOf = (path: string) => statSync(at(path)).mode & 0o777
    expect(modeOf('/etc/feedhouse')).toBe(0o750)
    expect(modeOf('/etc/feedhouse/site-refresh-token')).toBe(0o640)
    expect(modeOf('/home/x/feedhouse/secrets')).toBe(0o700)
    expect(contentOf('/etc/feedhouse/.env')).toBe('.env of the clone')
    expect(contentOf('/etc/feedhouse/site-refresh-token')).toBe('refresh-token of the clone')
    const nginx = contentOf('/etc/nginx/conf.d/feedhouse.conf')
    expect(nginx).toMatch(/^proxy_cache_path /m)
    expect(nginx).not.toContain('feeds.example.org')
    expect(nginx.match(/^ +server 127.*$/gm)).toEqual(['    server 127.0.0.1:8080 max_fails=0;'])
    expect(readdirSync(at('/etc/nginx/sites-enabled'))).toEqual([])
    const limits =
      /^worker_processes auto;\nworker_rlimit_nofile \d+;[^]*\tworker_connections 8192;$/m
    expect(contentOf('/etc/nginx/nginx.conf')).toMatch(limits)

    // Makes the command use the paths and the user of this test.
    const command = at('/usr/local/bin/feedhouse')
    const written = readFileSync(command, 'utf8')
    const here = withReplacements(written, {
      '-ne 0': `-ne ${uid}`,
      '--reuid=feedhouse --regid=feedhouse --init-groups': `--reuid=${uid} --regid=${gid} --keep-groups`,
      ...Object.fromEntries(
        ['/opt/feedhouse', '/etc/feedhouse', '/var/lib/feedhouse'].map((path) => [path, at(path)]),
      ),
    })
    writeFileSync(command, here)
    await using sandbox = await createSandbox()
    const { SITE_REFRESH_TOKEN, ...website } = settingsFor(sandbox)
    const block = blocksOf(documentOf('docs/deploy.md')).find(({ lines }) =>
      lines[0]?.startsWith('SITE_REFRESH_TOKEN_FILE=/etc/'),
    )
    const settings = [
      ...(block?.lines ?? []).map((line) => line.replace(/=(?=\/)/, `=${server.path}`)),
      ...Object.entries(website).map(([name, value]) => `${name}=${value}`),
    ]
    writeFileSync(at('/etc/feedhouse/.env'), settings.join('\n'))
    writeFileSync(at('/etc/feedhouse/site-refresh-token'), `${SITE_REFRESH_TOKEN}\n`)
    expect(await unexpectedResults(shell, lists.onServerWithSettings, changes)).toEqual([])
    expect(modeOf('/var/backups/feedhouse/today.gz')).toBe(0o600)

    // Running the commands again does not overwrite entered or generated values.
    const entered = [
      ...['.env', 'site-refresh-token'].map((name) => `/etc/feedhouse/${name}`),
      ...['site-refresh-token', 'admin-password', 'redis-conf'].map(
        (name) => `/home/x/feedhouse/secrets/${name}`,
      ),
    ]
    const before = entered.map(contentOf)
    const repeated = inClone.filter(({ command }) => /^cd |secrets|\/etc\/feedhouse/.test(command))
    expect(await unexpectedResults(shell, repeated, changes)).toEqual([])
    expect(entered.map(contentOf)).toEqual(before)

    if (!redisIsMissing) await moveToRedis()
    await shell.run([
      `sed -i '/^REDIS_URL=/d' ${at('/etc/feedhouse/.env')}`,
      `${command} backup - > feedhouse-backup.gz`,
      `rm -r ${at('/var/lib/feedhouse')}/*`,
    ])
    expect(await unexpectedResults(shell, lists.onServerToRestore, changes)).toEqual([])

    // Paths on the command line are relative to the caller's directory. Paths in settings are not.
    writeFileSync(at('/home/x/.env'), 'SITE_URL=https://other.example.org\n')
    const piped = await shell.run([
      `cd ${at('/home/x')}`,
      `${command} backup - > piped.gz`,
      `${command} restore --replace - < piped.gz`,
      `${command} backup file.gz`,
      `${command} restore --replace file.gz`,
    ])
    expect(piped.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(modeOf('/home/x/file.gz')).toBe(0o600)

    async function moveToRedis() {
      const configuration = at('/etc/redis/redis.conf')
      mkdirSync(at('/etc/redis'))
      writeFileSync(configuration, '# requirepass foobared\nappendonly no\n')
      const repeated = [...lists.onServerForRedis, ...lists.onServerForRedis]
      expect(await unexpectedResults(shell, repeated, changes)).toEqual([])
      await using redis = await startRedis(configuration)
      const { host } = new URL(redis.url)
      const steps = [...lists.onServerWithRedis.slice(0, 3), ...lists.onServerWithRedis.slice(1)]
      const withRedis = { ...changes, 'localhost:6379': host }
      expect(await unexpectedResults(shell, steps, withRedis)).toEqual([])
      expect(contentOf('/etc/feedhouse/.env').match(/^REDIS_URL=redis:.*$/gm)).toHaveLength(1)
      const [list] = await shell.run([`${command} link list`])
      expect(list?.out).toContain('Capt. Reyes')
    }
  },
)
