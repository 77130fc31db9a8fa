import type { Verdict } from './verdict.ts'

/** A finding before a letter is sent, as a code and its data: each face has words for it. */
export type Finding = {
  readonly verdict: Verdict
  /** That of the letter in which it was found, where it is a translation. */
  readonly language?: string | undefined
} & FindingData

export type FindingCode = Finding['code']

/** One code. @example `FindingOf<'database'>` */
export type FindingOf<C extends FindingCode> = Finding & { readonly code: C }

/** `about` distinguishes two findings of one code. */
type FindingData =
  /** The list came from a copy that anybody may have written. */
  | { readonly code: 'list-on-hold'; readonly at?: number }
  /** `ms`: how far away it is; `answer`: why it does not let us in. */
  | { readonly code: 'mail-server'; readonly ms?: number; readonly answer?: string }
  /** The mail server takes no local part outside ASCII, which these have. */
  | { readonly code: 'mail-ascii-only'; readonly people: number }
  | { readonly code: 'database'; readonly ms: number }
  | { readonly code: 'unsubscribing'; readonly url: string; readonly wrong?: ProbeProblem }
  | { readonly code: 'confirming'; readonly url: string; readonly wrong?: ProbeProblem }
  | {
      readonly code: 'sender-record'
      readonly about: 'SPF' | 'DKIM' | 'DMARC'
      readonly is: 'there' | 'missing' | 'several' | 'away' | 'unnamed'
      /** The name that was looked up. */
      readonly name: string
      /** The record, how many there are, or why it could not be looked up. */
      readonly answer: string
    }
  /** A setting that letters need. */
  | { readonly code: 'mail-not-set'; readonly about: 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL' }
  | {
      readonly code: 'time'
      readonly toSend: number
      /** Messages a second. */
      readonly perSecond: number
      /** As asked for, in words. */
      readonly rate: string
      /** What limits the speed, and how long the mail server takes to answer. */
      readonly limit: 'rate' | 'mail server'
      readonly awayMs: number
      readonly seconds: number
    }
  | {
      readonly code:
        | 'letter-link'
        | 'letter-picture'
        | 'letter-no-picture'
        | 'letter-code-in-picture'
        | 'letter-code-in-the-open'
        | 'letter-code-in-host'
      readonly about: string
    }
  | { readonly code: 'letter-no-words' | 'letter-no-postal-address' | 'letter-code-unseen' }
  | { readonly code: 'letter-too-long'; readonly bytes: number }
  | { readonly code: 'letter-changed'; readonly sent: number }
  /** Of the codes of letters, in the words of what makes them. */
  | { readonly code: 'codes'; readonly about: string; readonly text: string }
  | {
      readonly code: 'earlier'
      readonly about: string
      readonly begunAt: number
      readonly people: number
      readonly isLeftOut: boolean
      /** Whether no other announcement leaves recipients out. */
      readonly isAlone: boolean
    }
  | { readonly code: 'left-out'; readonly about: string; readonly people: number }
  /** Of those in the queue: they got another announcement since this one began. */
  | { readonly code: 'told-since'; readonly people: number }
  | PageFinding

/** What a visitor sees at the page's address. */
type PageFinding =
  | { readonly code: 'page-not-set' | 'page-no-url' | 'page-no-url-now' }
  | { readonly code: 'page-not-yet'; readonly at: number; readonly zone: string }
  | { readonly code: 'page-open' | 'page-closed-again' | 'page-otherwise'; readonly site: string }
  /** `answer`: why. */
  | {
      readonly code: 'page-away'
      readonly host: string
      readonly answer: string
      readonly wasOpen?: boolean
    }
  | {
      readonly code: 'page-cached'
      readonly site: string
      /** What the answer's headers say of the cache. */
      readonly cache: string
    }
  | {
      readonly code: 'page-other-button'
      readonly site: string
      readonly about: string
      readonly url: string
      readonly cache: string
    }
  | {
      readonly code: 'page-other-site' | 'page-old-build' | 'page-other-store'
      readonly site: string
      readonly status: number
      /** Where it is from here; none where it is not in the DNS. */
      readonly addresses: readonly string[]
    }

/** Why a link of ours does not work. */
export type ProbeProblem =
  | { readonly code: 'away'; readonly answer: string }
  | { readonly code: 'status'; readonly status: number }
  /** The server that answers is not ours, or has another key or other subscribers. */
  | { readonly code: 'other-server' | 'other-list' | 'other-page' }

/** The keys of those that are problems. */
export const problemKeys = (found: readonly Finding[]) =>
  found.filter(({ verdict }) => verdict === 'problem').map(problemKey)

/** Names a finding whatever its details: the look-up of a missing record, for example, may also fail. */
export const problemKey = (found: Finding) =>
  [found.code, found.language ?? '', 'about' in found ? found.about : ''].join(' ')
