import { beforeEach, describe, expect, it } from 'vitest'
import type { SubscribeClient } from '../../src/client/subscribe-client.ts'
import { parseEmail } from '../../src/shared/email.ts'
import { emailCases } from '../shared/email-cases.ts'

/** A backend that holds nobody, and ways to look behind it. */
export interface ClientBackend {
  /** The client of somebody who was never here. */
  newVisitor(): Promise<SubscribeClient>
  /** The addresses that are kept. */
  emails(): Promise<string[]>
  /** From now on nobody reaches it. */
  goAway(): Promise<void>
  /** From now on it takes what is sent and never answers. */
  fallSilent(): void
}

const patient = () => new AbortController().signal

/** What every client promises. */
export function clientContract(name: string, open: () => Promise<ClientBackend>) {
  describe(`${name}, as every client`, () => {
    let backend: ClientBackend
    let visitor: SubscribeClient
    beforeEach(async () => {
      backend = await open()
      visitor = await backend.newVisitor()
    })

    it('subscribes a visitor who has signed in', async () => {
      await visitor.signIn(patient())
      expect(await visitor.subscribe({ email: 'visitor@example.com' }, patient())).toBe(
        'subscribed',
      )
      expect(await backend.emails()).toEqual(['visitor@example.com'])
    })

    it('says the same to a visitor whose address is known', async () => {
      await visitor.signIn(patient())
      await visitor.subscribe({ email: 'visitor@example.com' }, patient())
      const another = await backend.newVisitor()
      await another.signIn(patient())
      expect(await another.subscribe({ email: 'visitor@example.com' }, patient())).toBe(
        'subscribed',
      )
      expect(new Set(await backend.emails())).toEqual(new Set(['visitor@example.com']))
    })

    it('brings every address over as it is', async () => {
      const emails = emailCases.flatMap(({ input }) => parseEmail(input) ?? [])
      await visitor.signIn(patient())
      for (const email of emails)
        expect(await visitor.subscribe({ email }, patient())).toBe('subscribed')
      expect(new Set(await backend.emails())).toEqual(new Set(emails))
    })

    it('does not thank for what the backend refuses', async () => {
      await visitor.signIn(patient())
      const outcome = await visitor.subscribe({ email: 'no address' }, patient())
      expect(['failed', 'invalid-email']).toContain(outcome)
      expect(await backend.emails()).toEqual([])
    })

    it('may be signed in again at any time', async () => {
      await visitor.signIn(patient())
      await visitor.signIn(patient())
      expect(await visitor.subscribe({ email: 'visitor@example.com' }, patient())).toBe(
        'subscribed',
      )
    })

    it('does not thank when the backend is away', async () => {
      await visitor.signIn(patient())
      await backend.goAway()
      const outcome = await visitor
        .subscribe({ email: 'visitor@example.com' }, patient())
        .catch(() => 'threw')
      expect(['failed', 'threw']).toContain(outcome)
    })

    it('says what went wrong when signing in fails', async () => {
      await backend.goAway()
      await expect(visitor.signIn(patient())).rejects.toThrow()
    })

    it('waits no longer than it is told to', async () => {
      const reason = new Error('the visitor has waited long enough')
      const impatient = new AbortController()
      await visitor.signIn(patient())
      backend.fallSilent()
      const subscribing = visitor.subscribe({ email: 'visitor@example.com' }, impatient.signal)
      const signingIn = (await backend.newVisitor()).signIn(impatient.signal)
      impatient.abort(reason)
      await expect(subscribing).rejects.toThrow(reason)
      await expect(signingIn).rejects.toThrow(reason)
      await expect(visitor.signIn(AbortSignal.abort(reason))).rejects.toThrow(reason)
    })
  })
}
