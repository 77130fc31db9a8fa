import type { FeatureRules, SettingReader } from '../../shared/feature-rules.ts'
import type { Product } from '../../shared/product.ts'

export const share = {
  name: 'share',
  productSetting: {
    findMistakes: (value: unknown) =>
      typeof value === 'boolean' ? [] : [`is ${JSON.stringify(value)}, must be true or false`],
  },
  styles: ({ share }: Pick<Product, 'share'>) => (share ? ['web/share'] : []),
  isOn: (_reader: SettingReader, { share }: Pick<Product, 'share'>) => share === true,
} satisfies FeatureRules
