import { existsSync, readFileSync } from 'node:fs'
import { readSettings } from '../../src/config/read.ts'
import type { Environment } from '../../src/product/environment.ts'
import forms from './firebase-fields.json' with { type: 'json' }

type FirebaseConfig = Readonly<Record<string, string>>

/** What the page is given to reach Firebase by; `emulators` where that is not Google's. */
interface Firebase {
  readonly config: FirebaseConfig
  readonly emulators?: { readonly auth: string; readonly firestore: string }
}

const FILE = 'firebase.config.json'
/** The name that Firebase's own hosting of apps gives it. */
const VARIABLE = 'FIREBASE_WEBAPP_CONFIG'

/** Ours, beside Firebase's own: a key of the same project. */
const SITE_KEY = 'appCheckSiteKey'

/** The fields of a web app's configuration, by their form; all of it is public. */
const fields: Readonly<Record<string, string>> = forms
const required = ['apiKey', 'projectId']

/**
 * Reads Firebase's configuration of a web app, as JSON, from the variable or else from the file.
 *
 * @returns the configuration, or one sentence for each mistake.
 */
export function readFirebaseConfig(env?: Environment): Firebase | { mistakes: string[] } {
  const read = readSettings(({ get }) => get(VARIABLE), env)
  const given = 'settings' in read ? read.settings : null
  const source = given ? VARIABLE : FILE
  if (!given && !existsSync(FILE))
    return { mistakes: [`${FILE}: is missing; docs/firebase.md says where to get it`] }
  const mistakes: string[] = []
  const config = parseObject(given || readFileSync(FILE, 'utf8'))
  if (!config)
    return { mistakes: [`${source}: must be a JSON object, with every name in double quotes`] }

  for (const field of required)
    if (!Object.hasOwn(config, field)) mistakes.push(`${source}: ${field}: is missing`)
  for (const [field, value] of Object.entries(config)) {
    const form = Object.hasOwn(fields, field) ? fields[field] : undefined
    // Everything in there is published: a service account's key must never be.
    if (!form) mistakes.push(`${source}: ${field}: does not belong to a web app's configuration`)
    else if (typeof value !== 'string' || !new RegExp(form).test(value))
      mistakes.push(`${source}: ${field}: is not what Firebase gives out`)
  }
  if (hasAppCheck(config) && !Object.hasOwn(config, 'appId'))
    mistakes.push(`${source}: appId: is missing, and App Check needs it`)
  return mistakes.length > 0 ? { mistakes } : { config: config as FirebaseConfig }
}

/**
 * Firebase as its emulators play it on this machine. A project whose name begins with `demo-` is
 * nobody's, and Firebase's tools know it.
 *
 * @param ports as `firebase.json` has them.
 */
export function emulatorsIn(
  ports: Readonly<Record<'auth' | 'firestore', { readonly port: number }>>,
): Firebase {
  const at = (name: 'auth' | 'firestore') => `http://127.0.0.1:${ports[name].port}`
  return {
    config: { apiKey: 'demo', projectId: 'demo-opening-bell' },
    emulators: { auth: at('auth'), firestore: at('firestore') },
  }
}

/** Whether App Check vouches for the page: there is a site key of reCAPTCHA Enterprise. */
export function hasAppCheck(config: object): boolean {
  return Object.hasOwn(config, SITE_KEY)
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
