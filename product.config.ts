import type { Product } from './src/shared/product.ts'

/** Your product. Change it, and `npm start` shows it: title, splash, icons, previews, everything. */
const product: Product = {
  name: 'Meridian',
  pitch: 'The all-in-one terminal for modern traders and investors.',
  description:
    'Meridian is the all-in-one terminal for modern traders and investors. Be the first to know when we go live.',
  logo: 'brand/logo.svg',
  emailPlaceholder: 'you@example.com',
  appId: 'opening-bell',
}

export default product
