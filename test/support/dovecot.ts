import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { programIsMissing } from './programs.ts'
import { temporaryDirectory } from './service.ts'
import { waitFor } from './wait-for.ts'

export const dovecotIsMissing = programIsMissing('dovecot')

/** The user `nobody`. Dovecot refuses to keep mail for root. */
const nobody = 65_534

/** Starts Dovecot without privileges, with one mailbox whose user is `bounces` and password `secret`. */
export async function startDovecot() {
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(temporaryDirectory())
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  const identity = isRoot ? { uid: nobody, gid: nobody } : {}
  const nameOf = (option: string) =>
    spawnSync('id', [option], { ...identity, encoding: 'utf8' }).stdout.trim()
  const [owner, group] = [nameOf('-un'), nameOf('-gn')]
  const mail = join(path, 'mail')
  const directories = [
    path,
    join(path, 'run'),
    mail,
    ...['cur', 'new', 'tmp'].map((each) => join(mail, each)),
  ]
  for (const directory of directories) {
    mkdirSync(directory, { recursive: true })
    if (isRoot) chownSync(directory, nobody, nobody)
  }
  const configuration = join(path, 'dovecot.conf')
  writeFileSync(
    configuration,
    `protocols = imap
base_dir = ${path}/run
state_dir = ${path}/run
log_path = ${path}/run/log
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
default_internal_user = ${owner}
default_internal_group = ${group}
default_login_user = ${owner}
first_valid_uid = 1
mail_location = maildir:${mail}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${owner} gid=${group} home=${path}/run
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`,
  )
  const dovecot = spawn('dovecot', ['-F', '-c', configuration], {
    stdio: 'ignore',
    ...identity,
  })
  starting.defer(async () => {
    if (dovecot.exitCode !== null) return
    const exited = once(dovecot, 'exit')
    dovecot.kill()
    await exited
  })
  await waitFor(async () => {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
    } finally {
      socket.destroy()
    }
  })
  const running = starting.move()
  let delivered = 0
  return {
    url: `imap://bounces:secret@127.0.0.1:${port}/INBOX`,
    port,
    path,
    /** Puts an email into the mailbox. */
    deliver(text: string): void {
      const file = join(mail, 'new', `${(delivered += 1)}.test`)
      writeFileSync(file, text)
    },
    /** Returns the numbers of read and unread emails. */
    count() {
      const names = readdirSync(join(mail, 'cur'))
      const read = names.filter((name) => /:2,.*S/.test(name)).length
      return { read, unread: names.length - read + readdirSync(join(mail, 'new')).length }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
