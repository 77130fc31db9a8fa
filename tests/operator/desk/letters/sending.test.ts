/** @module-tag thorough */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { person, people } from '../../../store/contracts/people.ts'
import { deskPad } from './desk-pad.ts'

const emails = (count: number) => people(count).map(({ email }) => email)

describe('a letter at the desk', () => {
  it('goes from its first words through the lights and one per cent to everyone', async () => {
    const at = await deskPad(40, {
      behaviour: (to) => (to === person(3).email ? 'refuse' : 'accept'),
    })
    expect((await at.write()).headers.location).toBe('/desk/letters/launch')
    expect((await at.page()).progress).toMatchObject({ state: 'unsent' })
    expect((await at.check()).statusCode).toBe(303)
    const { check } = await at.page()
    expect(check?.findings.filter(({ verdict }) => /problem|fatal/.test(verdict))).toEqual([])
    expect(check?.people).toEqual({ everyone: 40, 'one-per-cent': 1 })
    expect(await at.pad.store.announcements()).toEqual([])

    expect((await at.send('one-per-cent', 1)).statusCode).toBe(303)
    const stage = await at.ended()
    expect(stage.progress).toMatchObject({
      state: 'partly',
      end: 'This stage is done.',
      balance: { text: 'The balance holds: 40 = 1 + 0 + 0 + 0 + 0 + 39', holds: true },
    })
    expect(at.pad.inboxes()).toEqual(emails(1))

    expect((await at.send('everyone', 39)).statusCode).toBe(303)
    const done = await at.ended()
    expect(done.progress).toMatchObject({
      state: 'told',
      end: 'Done.',
      balance: { text: 'The balance holds: 40 = 39 + 1 + 0 + 0 + 0 + 0', holds: true },
      unsent: [{ email: person(3).email, status: 'failed', answer: expect.stringMatching(/^550/) }],
    })
    expect(at.pad.inboxes()).toHaveLength(39)

    const folder = join(at.home.dataDir, 'letters')
    const logs = readdirSync(folder).filter((name) => name.endsWith('.log'))
    expect(logs).toEqual(['launch.1.log', 'launch.2.log'])
    for (const log of logs) {
      expect(statSync(join(folder, log)).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(folder, log), 'utf8')).not.toMatch(/@example\.com/)
    }
  })
})
