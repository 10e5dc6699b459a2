import type { Express, Request } from 'express'
import { clientAddress } from '../front/client-address.ts'

/**
 * Makes an application trust the headers of this many proxies. `ip` is the address that the front
 * finds, because Express would return any text in place of an address.
 */
export function trustProxies(application: Express, proxies: number): void {
  application.set('trust proxy', proxies)
  Object.defineProperty(application.request, 'ip', {
    get(this: Request) {
      return clientAddress(this, proxies)
    },
  })
}
