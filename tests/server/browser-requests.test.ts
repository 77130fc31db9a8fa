import { expect, it, onTestFinished, vi } from 'vitest'
import { takeInBrowserRequests } from '../../src/server/browser-requests.ts'
import type { BrowserRequests } from '../../src/store/browser-requests.ts'
import type { Asked } from '../../src/store/outbox.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'

const page = { words: 'Soon', page: 'of the server', language: 'en' }
const openPage = { ...page, words: 'Open' }

/** @returns what is logged. */
function take(takeIn: BrowserRequests['takeIn'], url?: string) {
  const warn = vi.fn()
  const opening = { url: () => url }
  const taking = takeInBrowserRequests({ takeIn }, { page, openPage }, opening, { warn }, 1)
  onTestFinished(() => taking.close())
  return warn
}

/** What is said of each address that browsers left, one after the other. */
function saidOf(emails: readonly string[], url?: string): Promise<Asked[]> {
  return new Promise((resolve) => {
    take(async (askedOf) => {
      resolve(emails.map(askedOf))
      return false
    }, url)
  })
}

const many = (domain: string) => Array.from({ length: 11 }, (_, n) => `p${n}@${domain}`)

it('a request has the signs that its address shows by itself', async () => {
  const said = await saidOf([...many('mailinator.com'), 'zoe@example.com'])
  const signs = said.map(({ suspicion }) => suspicion)
  expect(signs.slice(-3)).toEqual([undefined, 'domain-share, disposable-domain', undefined])
})

it('a request is of a crowd after ten of its domain', async () => {
  const said = await saidOf([...many('evil.example'), 'zoe@example.com'])
  expect(said.map(({ isCrowd }) => isCrowd).slice(-3)).toEqual([false, true, false])
})

it('a request has the words of the page that is open, of a build that is not known', async () => {
  const [soon] = await saidOf(['ada@example.com'])
  const [open] = await saidOf(['ada@example.com'], 'https://app.example.com')
  expect(soon?.shown).toEqual({ ...page, page: 'on Firebase' })
  expect(open?.shown).toEqual({ ...openPage, page: 'on Firebase' })
})

it('a fault in taking requests in is logged by its kind alone, an outage not, and both are tried again', async () => {
  const faults = [new TypeError('of ada@example.com'), new StoreUnavailable('away')]
  const takeIn = vi.fn(async () => {
    const fault = faults.shift()
    if (fault) throw fault
    return false
  })
  const warn = take(takeIn)
  await expect.poll(() => takeIn.mock.calls.length).toBeGreaterThan(2)
  expect(warn.mock.calls).toEqual([['Requests of browsers cannot be taken in: TypeError']])
})
