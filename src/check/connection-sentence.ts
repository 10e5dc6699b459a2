import { connectionFaultFrom } from '../upstream/connection-fault.ts'
import type { ConnectionFaultReason } from '../upstream/upstream-error.ts'

/** Explains why a request to this URL failed. `name` is what the reader calls the URL. */
export function connectionSentence(
  error: unknown,
  { url, name }: { readonly url: string; readonly name: string },
): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const { reason, code, kind } = connectionFaultFrom(cause)
  const advices = advicesFor(name)
  const advice = reason === undefined ? undefined : advices[reason]
  const why =
    advice ?? (kind === 'timeout' ? advices['no answer'] : 'the connection was interrupted.')
  return `${url} cannot be reached from this machine${code === '' ? '' : ` (${code})`}: ${why}`
}

const renew = 'renew it in the proxy.'

function advicesFor(name: string): Readonly<Record<ConnectionFaultReason, string>> {
  const checkName = `check the name in ${name} and its DNS record.`
  return {
    'name unknown': `the host name does not exist; ${checkName}`,
    'name server': `the host name cannot be looked up right now; ${checkName}`,
    refused: `nothing is listening on its port; start the proxy, and check the port in ${name}.`,
    'no route': 'there is no route to it; check the DNS record and the network.',
    'no answer': 'it does not respond; open the port in the firewall and the router.',
    'certificate expired': `its certificate has expired; ${renew}`,
    'certificate not yet valid': "its certificate is not valid yet; check this machine's clock.",
    'certificate self-signed': `its certificate is self-signed, which phones reject; ${renew}`,
    'certificate from an unknown authority':
      'phones do not trust its certificate; configure the proxy to send the intermediate certificates, or get a certificate from a public authority.',
    'certificate of another host': `its certificate is for another host name; ${checkName}`,
    'no TLS': `it does not use https there; set up https in the proxy, and check the port in ${name}.`,
  }
}
