// Opens files in speedscope, which runs in headless Chromium, and prints what it sees of each, as one line of
// JSON: the names of its profiles, and of each how many calls it shows and how long all of it is.
// Standard error gets what it complains about; the status is 1 where it does.
//
// usage: node speedscope.mjs FOLDER_WITH_NODE_MODULES FILE...
import {createRequire} from 'node:module'
import {readFileSync} from 'node:fs'
import path from 'node:path'

const [modules, ...files] = process.argv.slice(2)
const require = createRequire(path.resolve(modules, 'package.json'))
const {chromium} = require('playwright-core')
const app = path.join(path.dirname(require.resolve('speedscope/package.json')), 'dist/release/index.html')

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync'],
})
let complaints = 0
for (const file of files) {
  const page = await browser.newPage({acceptDownloads: true})
  page.on('console', message => {
    const isOfDrawing = message.text().includes('WebGL')
    if ((message.type() === 'warning' || message.type() === 'error') && !isOfDrawing) {
      console.error(`${path.basename(file)}: ${message.text()}`)
      ++complaints
    }
  })
  page.on('pageerror', error => { console.error(`${path.basename(file)}: ${error}`); ++complaints })
  page.on('dialog', dialog => { console.error(dialog.message()); ++complaints; dialog.dismiss() })
  await page.goto(`file://${app}`)
  await page.setInputFiles('#file', file)
  // The title is that of the first profile once the file is read.
  await page.waitForFunction(() => document.title !== 'speedscope', undefined, {timeout: 120000})
  const downloaded = page.waitForEvent('download')
  await page.keyboard.press('Control+s')
  const exported = JSON.parse(readFileSync(await (await downloaded).path(), 'utf8'))
  const profiles = exported.profiles.map(profile => ({
    name: profile.name,
    unit: profile.unit,
    calls: profile.events.filter(event => event.type === 'O').length,
    time: profile.endValue - profile.startValue,
  }))
  console.log(JSON.stringify({file: path.basename(file), profiles}))
  await page.close()
}
await browser.close()
process.exit(complaints > 0 ? 1 : 0)
