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
