/** Everybody who ever came, as a test knows it that stands outside: by answers, commands and letters. */
export interface Person {
  readonly email: string
  /** A `flood` is one of thousands, of whom the first look ordinary: quarantined or not. */
  readonly kind: 'visitor' | 'robot' | 'flood'
  /** Whether they were thanked for a sign-up, which counts at once or only when it is confirmed. */
  thanked?: 'at once' | 'to confirm'
  /** What they asked for last had no answer, so that it may have come to pass or not. */
  isUnsure: boolean
  hasConfirmed: boolean
  gone?: { readonly how: 'unsubscribed' | 'forgotten'; readonly at: number }
  /** Whether they came back after they had left: they try to, and then have an answer. */
  triesToComeBack: boolean
  isBack: boolean
  /** They were told before they had that answer: right only if they did come back. */
  toldOnTheWay?: boolean
  /** How many letters of the announcement the mail server took for them. */
  told: number
  /** How many letters that ask for a confirmation. */
  asked: number
}

/** The reference model: what is so, if every promise is kept. */
export function everybody() {
  const all = new Map<string, Person>()
  /** What nobody may see happen, as soon as it is seen. */
  const broken: string[] = []

  return {
    all,
    broken,
    /** Somebody who came, now or before. */
    person(email: string, kind: Person['kind'] = 'visitor'): Person {
      const known = all.get(email)
      if (known) return known
      const fresh = { email, kind, isUnsure: false, hasConfirmed: false }
      const one: Person = { ...fresh, triesToComeBack: false, isBack: false, told: 0, asked: 0 }
      all.set(email, one)
      return one
    },
    /** @param toldSince when the command began that tells them. */
    tell(one: Person, toldSince: number) {
      one.told += 1
      if (one.told > 1) broken.push(`${one.email} was told twice`)
      if (one.kind === 'robot') broken.push(`${one.email} was told and is a robot`)
      if (!one.gone || one.isBack || one.gone.at >= toldSince) return
      if (one.triesToComeBack) one.toldOnTheWay = true
      else broken.push(`${one.email} was told after they had ${one.gone.how}`)
    },
  }
}

export type Everybody = ReturnType<typeof everybody>

/** How somebody has to stand on the list; `undefined` for whoever must not be on it. */
export function standingOf(one: Person): 'subscribed' | 'quarantined' | 'unsubscribed' | undefined {
  const { kind, thanked, hasConfirmed, gone, isBack } = one
  const isListed = thanked === 'at once' || hasConfirmed
  if (!isListed || gone?.how === 'forgotten') return undefined
  if (gone && !isBack) return 'unsubscribed'
  return kind === 'robot' ? 'quarantined' : 'subscribed'
}
