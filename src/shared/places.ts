/** Places where founders post, with the short name in the link. */
export const places: Readonly<Record<string, string>> = {
  'Hacker News': 'hn',
  'Product Hunt': 'producthunt',
  X: 'x',
  LinkedIn: 'linkedin',
  Reddit: 'reddit',
  Mastodon: 'mastodon',
  Bluesky: 'bluesky',
  Threads: 'threads',
  YouTube: 'youtube',
  GitHub: 'github',
  Discord: 'discord',
  Newsletter: 'newsletter',
  'E-mail signature': 'signature',
  'QR code': 'qr',
}
