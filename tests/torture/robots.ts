import { browser } from '../fixtures/app.ts'

/** One sign-up, by a person or by a robot. */
export interface Sender {
  readonly email: string
  /** The client address. */
  readonly from: string
  readonly headers: Readonly<Record<string, string>>
  readonly way: 'json' | 'form'
  /** For how long the page was open, in milliseconds; 0 for a session of this moment. */
  readonly openFor: number
  readonly comment: string
}

type Make = (i: number, random: () => number) => Sender

const from = { 'sec-fetch-site': 'same-origin' }
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
/** Says that it is a browser and forgets what else a browser says. */
const disguised = { ...from, 'user-agent': CHROME, accept: '*/*' }
const libraries = [
  'curl/8.14.1',
  'python-requests/2.32.3',
  'Go-http-client/1.1',
  'axios/1.11.0',
  'node',
]
const providers = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'web.de', 'gmx.net']
const disposable = ['mailinator.com', 'guerrillamail.com', 'yopmail.com', '10minutemail.com']

const one = <T>(of: readonly T[], random: () => number) => of[Math.floor(random() * of.length)] as T
const name = (random: () => number) => random().toString(36).slice(2, 10)
const anywhere = (random: () => number) =>
  `${20 + Math.floor(random() * 100)}.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}.${1 + Math.floor(random() * 254)}`

/** A person at a browser of these days. */
export const people: Make = (i, random) => ({
  email: `${name(random)}.p${i}@${one(providers, random)}`,
  from: anywhere(random),
  headers: browser,
  way: random() < 0.1 ? 'form' : 'json',
  openFor: 2500 + random() * 60_000,
  comment: '',
})

/** Every twentieth robot behaves as a person in every way: nobody tells it from one. */
const orPatient =
  (make: Make): Make =>
  (i, random) => ({ ...people(i, random), ...(random() > 0.05 && make(i, random)) })

/** A script that signs in and posts JSON. */
const script: Make = (i, random) => ({
  ...people(i, random),
  email: `${name(random)}.s${i}@${one(providers, random)}`,
  way: 'json',
  openFor: 0,
  headers:
    random() < 0.5
      ? { ...browser, 'user-agent': one(libraries, random) }
      : one([disguised, browser], random),
})

/** A browser without a screen, which fills every field when the splash is over. */
const headless: Make = (i, random) => ({
  ...people(i, random),
  email: `${name(random)}.h${i}@${one(providers, random)}`,
  way: 'json',
  comment: 'Nice',
  headers: { ...browser, 'user-agent': CHROME },
  openFor: 1200 + random() * 1200,
})

/** Posts whatever forms it finds, with every field filled. */
const spammer: Make = (i, random) => ({
  ...people(i, random),
  email: `${name(random)}.f${i}@${one(providers, random)}`,
  way: 'form',
  headers: one([disguised, browser], random),
  comment: 'Cheap watches at https://watches.example',
})

/** Fills the mailboxes of others: one rented network, many domains, the hidden field left alone. */
const bomber: Make = (i, random) => ({
  ...people(i, random),
  email: `${name(random)}@company${i}.example`,
  from: `203.0.113.${1 + Math.floor(random() * 254)}`,
  headers: disguised,
  way: 'form',
})

/** Wins a place many times: aliases of one mailbox, or addresses for ten minutes. */
const aliases: Make = (i, random) => {
  const base = { ...people(i, random), way: 'form', headers: disguised } as const
  if (i % 2 === 0) return { ...base, headers: browser, email: `winner+${i}@gmail.com` }
  return { ...base, email: `${name(random)}@${one(disposable, random)}` }
}

export const kinds = {
  'a script that posts JSON': orPatient(script),
  'a headless browser that fills every field at once': orPatient(headless),
  'a form spammer': orPatient(spammer),
  'a list bomber in one network': orPatient(bomber),
  'aliases of one mailbox, and disposable addresses': orPatient(aliases),
}
