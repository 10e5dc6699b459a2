import { expect, test } from 'vitest'
import { fewRecords } from '../../support/few-records.ts'
import { sharedService } from '../../support/shared-service.ts'

const service = sharedService(
  {
    sandbox: {
      datasetOn: (today) => {
        const few = fewRecords.datasetOn(today)
        const pattern = few.training.find(({ type }) => type === 'membercerts')
        if (pattern?.type !== 'membercerts') throw new TypeError('no certifications')
        const certs = ['2026-02-20', '2026-03-20', '2026-04-20', '2026-05-20', '2026-07-20'].map(
          (expires, at) => ({
            ...pattern,
            id: at + 1,
            status: 1 as const,
            memberId: at + 1,
            member: `Pat ${at + 1}`,
            certId: 1,
            certName: 'CPR',
            expires,
          }),
        )
        return { ...few, training: certs }
      },
    },
  },
  async () => undefined,
)

const pageOf = async (wish: Parameters<ReturnType<typeof service>['addLink']>[0], query = '') => {
  const link = new URL(await service().addLink(wish))
  return service().get(`${link.pathname}certifications${query}`)
}

const groupsIn = (text: string) =>
  [...text.matchAll(/<h2 [^>]*>([^<]+)<\/h2>([^]*?)<\/section>/g)].map(([, heading, list = '']) => [
    heading,
    ...Array.from(list.matchAll(/<a [^>]*>([^<]+)<\/a>/g), ([, title]) => title),
  ])

test('lists who has to renew within 30, 60 and 90 days, for links with the right', async () => {
  const { status, text } = await pageOf({ feedIds: ['training'], profile: 'full' })
  expect(status).toBe(200)
  expect(groupsIn(text)).toEqual([
    ['Expired', 'Pat 1: CPR expires'],
    ['Within 30 days', 'Pat 2: CPR expires'],
    ['Within 60 days', 'Pat 3: CPR expires'],
    ['Within 90 days', 'Pat 4: CPR expires'],
  ])
  const german = await pageOf({ feedIds: ['training'], profile: 'full' }, '?lang=de')
  expect(groupsIn(german.text).map(([heading]) => heading)).toContain('In den nächsten 30 Tagen')
  expect((await pageOf({ feedIds: ['training'] })).text).not.toContain('Pat')
})

test('is private for everybody else', async () => {
  expect((await pageOf({})).status).toBe(403)
  expect((await service().get('/certifications')).status).toBe(403)
})

test('is linked from the calendar of such links', async () => {
  const link = new URL(await service().addLink({ feedIds: ['training', 'events'] }))
  expect((await service().get(`${link.pathname}agenda`)).text).toContain('href="certifications"')
  expect((await service().get('/agenda')).text).not.toContain('href="certifications"')
})
