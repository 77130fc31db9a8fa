/** @module-tag long */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { endAllSessions } from '../../src/desk/access/sessions.ts'
import { cookieIn, startDeskSite } from '../fixtures/desk-site.ts'
import { childrenOf, isRunning } from '../fixtures/processes.ts'
import { amount, chance, report, seed } from './form.ts'

const GUESSES = amount(300, 100_000)
const LIVES = amount(3, 250)
const POSTS = 20
const LONGEST_LIFE_MS = 400

it('nobody gets in by guessing a link, a code or a cookie, or changing one', {
  timeout: amount(60_000, 1_800_000),
}, async (context) => {
  const random = chance(seed)
  const { ask, link, open, session, sessions } = await startDeskSite()
  const { cookie } = await session()
  const [name = '', value = ''] = cookie.split('=')
  const { path, code } = await link()
  const nowhere = await ask('/nowhere')
  const changed = (text: string) => {
    const at = 6 + Math.floor(random() * (text.length - 6))
    const other = String.fromCharCode(65 + Math.floor(random() * 26))
    return text[at] === other ? undefined : text.slice(0, at) + other + text.slice(at + 1)
  }
  const guess = () => randomBytes(49).toString('base64url').slice(0, 65)
  let tried = 0
  while (tried < GUESSES) {
    const guesses = Array.from({ length: 20 }, () => {
      const tokens = [`${name}=${guess()}`, `${name}=${changed(value)}`, `${name}=${path.slice(6)}`]
      const token = tokens[Math.floor(random() * tokens.length)]
      const paths = [`/desk/${guess()}`, changed(path), `/desk/${value}`, '/desk/access']
      const where = paths[Math.floor(random() * paths.length)]
      return token && where ? ask(where, { headers: { cookie: token } }) : undefined
    })
    const codes = [changed(code), guess(), code.toLowerCase()].map(
      (wrong) => wrong && wrong !== code && open(path, wrong),
    )
    for (const answer of await Promise.all(guesses)) {
      if (!answer) continue
      expect([answer.status, answer.body], `seed ${seed}`).toEqual([404, nowhere.body])
      tried += 1
    }
    for (const answer of await Promise.all(codes)) {
      if (!answer) continue
      expect(answer.status, `seed ${seed}`).toBe(403)
      tried += 1
    }
  }
  expect(await sessions()).toHaveLength(1)
  // It still opens for who has it.
  expect((await open(path, code)).status).toBe(303)
  const result = `nobody was let in, and all but wrong codes were told what any path tells (seed ${seed})`
  report(context, {
    done: 'links, codes and cookies of the desk guessed or changed',
    times: tried,
    result,
  })
})

it('a link gives one session at most, and none after the end of all, though server and desk are killed', {
  timeout: amount(90_000, 3_600_000),
}, async (context) => {
  const random = chance(seed)
  const { site, link, open, ask, session, sessions, withStore } = await startDeskSite()
  let [opened, killedServers, killedDesks, ended, lost] = [0, 0, 0, 0, 0]
  for (let life = 0; life < LIVES; life += 1) {
    // So that the desk's process is there to be killed.
    await ask('/desk', { headers: await session() })
    await withStore((store) => endAllSessions(store.desk))
    const { path, code } = await link()
    const cookies = new Set<string>()
    const post = async () => {
      await sleep(random() * LONGEST_LIFE_MS)
      const answer = await open(path, code).catch(() => undefined)
      if (answer?.status === 303) cookies.add(cookieIn(answer))
    }
    const posts = Promise.all(Array.from({ length: POSTS }, post))
    // Each a moment of its own, and not each in every life.
    const chosen = ['server', 'desk', 'end', 'end and server', 'nothing'][
      Math.floor(random() * 5)
    ] as string
    const kills = sleep(random() * LONGEST_LIFE_MS).then(async () => {
      const [desk] = childrenOf(site.pid())
      if (chosen.includes('server')) {
        killedServers += 1
        await site.kill()
        if (desk) await expect.poll(() => isRunning(desk)).toBe(false)
      } else if (chosen === 'desk' && desk) {
        killedDesks += 1
        process.kill(desk, 'SIGKILL')
      }
    })
    const ends = sleep(random() * LONGEST_LIFE_MS).then(async () => {
      if (!chosen.includes('end')) return
      ended += 1
      await withStore((store) => endAllSessions(store.desk))
    })
    await Promise.all([posts, kills, ends])
    if (chosen.includes('server')) await site.restart()
    const words = `life ${life}, ${chosen}, seed ${seed}`
    // Who was not answered, or was before the end, tries again.
    await expect
      .poll(async () => {
        const again = await open(path, code)
        if (again.status === 303) cookies.add(cookieIn(again))
        return again.status
      })
      .toBe(410)
    const found = await sessions()
    expect(cookies.size, words).toBeLessThanOrEqual(1)
    if (chosen.includes('end')) expect(found, words).toEqual([])
    else expect(found, words).toHaveLength(1)
    // A process that was killed is begun anew a moment later.
    for (const cookie of cookies)
      await expect
        .poll(async () => (await ask('/desk', { headers: { cookie } })).status, {
          message: words,
          timeout: 30_000,
        })
        .toBe(chosen.includes('end') ? 404 : 200)
    opened += found.length
    lost += found.length - (chosen.includes('end') ? 0 : cookies.size)
  }
  const result = `${opened} links gave one session each, and none gave two; ${killedServers} servers and ${killedDesks} desks were killed meanwhile; after ${ended} ends of all sessions there was none; ${lost} answers were lost with what was killed (seed ${seed})`
  report(context, { done: `links to the desk posted ${POSTS} times at once`, times: LIVES, result })
})
