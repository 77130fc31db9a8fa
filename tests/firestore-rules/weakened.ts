import product from '../../product.config.ts'

/**
 * The rules with each clause left out in turn, and with each part of a clause changed.
 *
 * @returns what was done, and the rules that came of it.
 */
export function weakened(rules: string): [change: string, weakerRules: string][] {
  const clauses = rules.match(/(?<=^ *)&& .*$/gm) ?? []
  return [
    ...clauses.map((clause): [string, string] => [
      `without "${clause.slice(0, 60)}"`,
      // The last one ends the statement.
      rules.replace(clause, () => (clause.endsWith(';') ? ';' : '')),
    ]),
    ...changes.map(([from, to]): [string, string] => {
      if (!rules.includes(from)) throw new Error(`The rules have no "${from}"`)
      return [`with "${to}" for "${from}"`, rules.replaceAll(from, () => to)]
    }),
  ]
}

const changes = [
  [`/artifacts/${product.appId}/`, '/artifacts/{product}/'],
  ['/subscribers/{id}', '/{collection}/{id}'],
  ['match /artifacts', 'match /{more=**}/artifacts'],
  ['allow create', 'allow get: if true; allow create'],
  ['allow create', 'allow list: if true; allow create'],
  ['allow create', 'allow create, update'],
  ['allow create', 'allow delete: if true; allow create'],
  ['if id in [', 'if request.auth != null || id in ['],
  ['id in [', "id.matches('[0-9a-f]{64}') || id in ["],
  ["idAt('9')]", "idAt('9'), idAt('10')]"],
  ["[idAt('0')", "[idAt('-1'), idAt('0')"],
  ["request.auth.uid + '/'", "'/'"],
  ['id in [', 'id.lower() in ['],
  ['id in [', 'id[0:64] in ['],
  ["'subscribedAt']", "'subscribedAt', 'name']"],
  ['<= 254', '<= 255'],
  ['== request.time', '<= request.time'],
  ['== request.time', '!= null'],
  [String.raw`\\p{Z}`, ''],
  [String.raw`\\p{Zl}`, ''],
  [String.raw`\\p{Cc}`, ''],
  [String.raw`\\p{Cf}`, ''],
  [String.raw`\\p{Lu}`, ''],
  [String.raw`\\p{Lt}`, ''],
  ['{1,3}', '+'],
  ['[a-z]{2,}', '[a-z]+'],
  ['[a-z]{2,}', '[a-z0-9]{2,}'],
] as const
