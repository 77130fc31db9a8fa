import type { FeatureRules } from '../shared/feature-rules.ts'
import type { ProductSetting } from '../shared/setting.ts'
import * as features from './rules.ts'

/** What the features say of people and settings. */
export const rules: readonly FeatureRules[] = Object.values(features)

type Features = (typeof features)[keyof typeof features]

/** What each of them has of a name, put together. */
type All<Name extends string> = Together<
  Features extends infer One
    ? One extends { readonly [name in Name]: infer Own }
      ? Own
      : never
    : never
> &
  // Without any feature.
  Record<never, never>
type Together<Each> = (Each extends Each ? (each: Each) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

const all = <Name extends keyof FeatureRules>(name: Name): All<Name> =>
  Object.assign({}, ...rules.map((one) => one[name]))

export const settings = all('settings')
export const parsers = all('parsers')
export const fields = all('fields')
export const leftOut = all('leftOut')

/** What of `product.config.ts` is theirs. */
export const productSettings: Readonly<Record<string, ProductSetting>> = Object.fromEntries(
  rules.flatMap(({ name, productSetting }) => (productSetting ? [[name, productSetting]] : [])),
)
