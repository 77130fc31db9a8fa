import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { type ForgetManyOptions, forgetMany } from '../../../src/cli/commands/forget-many.ts'
import { exitCodes } from '../../../src/terminal/exit-codes.ts'
import { listening } from '../../fixtures/spoken.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { people, person } from '../../store/contracts/people.ts'

/** People who came in the morning, and a flood of one domain after them. */
async function flooded(count: number) {
  const file = join(tempDir(), 'store.sqlite')
  const store = storeOnFile(file)
  await store.list.importAll(people(20))
  const flood = Array.from({ length: count }, (_, i) => ({
    email: `victim+${i}@flood.example`,
    subscribedAt: new Date(Date.UTC(2026, 1, 1) + i),
  }))
  await store.list.importAll(flood)
  return {
    store,
    file,
    async forget(options: Partial<ForgetManyOptions>, signal = new AbortController().signal) {
      const { out, said, result } = listening()
      const code = await forgetMany(store, { signal, ...options }, out)
      return { code, said: said.join('\n'), result: result() }
    },
  }
}

describe('forgetting many', () => {
  it('only shows and counts them at first', async () => {
    const { store, forget } = await flooded(30)
    const { said, result, code } = await forget({ matching: ['*@FLOOD.example'] })
    expect(code).toBe(exitCodes.done)
    expect(result.match(/victim\+\d@flood\.example\n/g)).toHaveLength(10)
    expect(said).toBe(
      '30 subscribers would be forgotten; the first 10 are shown. The same command with --yes-count 30 forgets them. Nothing was changed.',
    )
    const asJson = await forget({ matching: ['*@flood.example'], json: true })
    expect(asJson.result).toBe('{"found":30,"forgotten":0}\n')
    expect(asJson.said).not.toContain('are shown')
    expect(await store.list.count()).toBe(50)
  })

  it('forgets just those when their count is given, and nobody when it is another', async () => {
    const { store, forget } = await flooded(30)
    const matching = ['victim+1*@flood.example', '*+2@flood.example']
    await expect(forget({ matching, yesCount: 11 })).rejects.toThrow(
      '12 subscribers would be forgotten now, and not 11. Nothing was changed.',
    )
    expect(await store.list.count()).toBe(50)
    expect((await forget({ matching, yesCount: 12 })).said).toMatch(/^12 subscribers forgotten\./)
    expect(await store.list.count()).toBe(38)
    expect(await store.list.find('victim+19@flood.example')).toBeUndefined()
    expect(await store.list.find('victim+3@flood.example')).toBeDefined()
    expect((await store.standings.of('victim+19@flood.example'))?.standing).toBe('forgotten')
  })

  it('leaves nothing of them in any file, also where a run was killed after the last of them', async () => {
    const { store, file, forget } = await flooded(30)
    const db = new DatabaseSync(file)
    for (const table of ['documents', 'persons'])
      db.exec(`PRAGMA secure_delete = ON; DELETE FROM ${table} WHERE data LIKE '%@flood.example%'`)
    db.close()
    const bytes = () =>
      readdirSync(dirname(file)).map((name) => readFileSync(join(dirname(file), name), 'latin1'))
    expect(bytes().join()).toContain('@flood.example')
    const { said } = await forget({ matching: ['*@flood.example'] })
    expect(said).toBe('0 subscribers would be forgotten. Nothing was changed.')
    expect(bytes().join()).not.toContain('@flood.example')
    expect(await store.list.count()).toBe(20)
  })

  it('takes a time, a pattern and a mailbox together', async () => {
    const { store, forget } = await flooded(30)
    const since = '2026-02-01T00:00:00.010Z'
    expect((await forget({ since })).said).toMatch(/^20 subscribers/)
    expect((await forget({ until: since })).said).toMatch(/^30 subscribers/)
    expect((await forget({ mailbox: 'victim@flood.example', since })).said).toMatch(/^20 sub/)
    const narrow = { mailbox: 'victim@flood.example', since, matching: ['*5@*', 'ada@*'] }
    expect((await forget(narrow)).said).toMatch(/^2 subscribers/)
    await store.list.importAll([{ email: 'v.i.ctim+x@gmail.com', subscribedAt: new Date(0) }])
    expect((await forget({ mailbox: 'victim@googlemail.com' })).said).toMatch(/^1 subscriber /)
  })

  it('can be stopped at any time, and goes on with who is left', async () => {
    const { store, forget } = await flooded(330)
    const stop = new AbortController()
    const { forgetAll } = store.standings
    let times = 0
    Object.assign(store.standings, {
      forgetAll(emails: readonly string[]) {
        times += 1
        if (times === 2) setImmediate(() => stop.abort())
        return forgetAll(emails)
      },
    })
    const matching = ['*@flood.example']
    const stopped = await forget({ matching, yesCount: 330 }, stop.signal)
    expect(stopped.code).toBe(exitCodes.stopped)
    expect(stopped.said).toMatch(
      /^200 subscribers forgotten\. Stopped: the same command without --yes-count shows the rest\./,
    )
    expect(await store.list.count()).toBe(150)
    expect((await forget({ matching })).said).toContain('--yes-count 130 ')
    expect((await forget({ matching, yesCount: 130 })).code).toBe(exitCodes.done)
    expect(await store.list.count()).toBe(20)
    expect(await store.list.find(person(1).email)).toBeDefined()
  })

  it('forgets nobody who signs up after the look began', async () => {
    const { store, forget } = await flooded(3)
    const { forgetAll } = store.standings
    Object.assign(store.standings, {
      async forgetAll(emails: readonly string[]) {
        for (const email of emails) await store.list.add(`late-${email}`)
        return forgetAll(emails)
      },
    })
    await forget({ matching: ['*@flood.example'], yesCount: 3 })
    expect(await store.list.find('late-victim+0@flood.example')).toBeDefined()
  })

  it('refuses what may mean everybody by mistake, and what means nobody', async () => {
    const { forget } = await flooded(1)
    await expect(forget({})).rejects.toThrow('Name an address, or describe many')
    await expect(forget({ mailbox: 'ada' })).rejects.toThrow('--mailbox: "ada" is not')
    expect((await forget({ matching: ['*@floodxexample'] })).said).toMatch(
      /^0 subscribers would be forgotten\. Nothing was changed\.$/,
    )
  })
})
