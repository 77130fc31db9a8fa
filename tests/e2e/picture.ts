import type { BrowserContext, Page } from '@playwright/test'

/** What stands on the screen from left to right: a colour for each upright stroke of red or green. */
export async function candlesIn(page: Page): Promise<string[]> {
  return candlesInPicture(await page.screenshot(), page.context())
}

/** The same of a picture. @param context a browser, to read it. */
export async function candlesInPicture(
  screenshot: Buffer,
  context: BrowserContext,
): Promise<string[]> {
  // A picture is read where pictures are read: on a canvas, in a page of its own.
  const reader = await context.newPage()
  const columns = await reader.evaluate(
    async (url) => {
      const image = new Image()
      image.src = url
      await image.decode()
      const { width, height } = image
      const canvas = new OffscreenCanvas(width, height).getContext('2d')
      canvas?.drawImage(image, 0, 0)
      const { data = [] } = canvas?.getImageData(0, 0, width, height) ?? {}
      return Array.from({ length: width }, (_, x) => {
        const count = { red: 0, green: 0 }
        for (let y = 0; y < height; y += 1) {
          const at = (y * width + x) * 4
          const [red = 0, green = 0] = data.slice(at, at + 2)
          if (red > 70 && red > 2 * green) count.red += 1
          if (green > 120 && green > 2 * red) count.green += 1
        }
        if (Math.max(count.red, count.green) < height / 50) return 'none'
        return count.red > count.green ? 'red' : 'green'
      })
    },
    `data:image/png;base64,${screenshot.toString('base64')}`,
  )
  await reader.close()
  return columns.filter((color, x) => color !== 'none' && color !== columns[x - 1])
}

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** How many pixels of each area one can see a change in, from one screenshot to another. */
export async function changesIn(page: Page, before: Buffer, after: Buffer, areas: Area[]) {
  const reader = await page.context().newPage()
  const changes = await reader.evaluate(
    async ({ pictures, areas }) => {
      const [one, other] = await Promise.all(
        pictures.map(async (url) => {
          const image = new Image()
          image.src = url
          await image.decode()
          const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d', {
            willReadFrequently: true,
          })
          canvas?.drawImage(image, 0, 0)
          return canvas
        }),
      )
      return areas.map(({ x, y, width, height }) => {
        const read = (canvas = one) =>
          canvas?.getImageData(Math.ceil(x), Math.ceil(y), Math.floor(width), Math.floor(height))
            .data ?? []
        const [a, b] = [read(one), read(other)]
        let count = 0
        for (let at = 0; at < a.length; at += 4) {
          const by = (part: number) => Math.abs((a[at + part] ?? 0) - (b[at + part] ?? 0))
          // Less is how an edge is smoothed, which differs by what lies in a layer of its own.
          if (by(0) > 8 || by(1) > 8 || by(2) > 8) count += 1
        }
        return count
      })
    },
    {
      pictures: [before, after].map((one) => `data:image/png;base64,${one.toString('base64')}`),
      areas,
    },
  )
  await reader.close()
  return changes
}
