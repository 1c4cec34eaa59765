// The official client does one thing and says what it saw as JSON in the last line.
import { DefaultArtifactClient } from '@actions/artifact'

const [verb, ...given] = process.argv.slice(2)
const client = new DefaultArtifactClient()
const verbs = {
  list: async () => (await client.listArtifacts()).artifacts,
  find: async name => (await client.getArtifact(name)).artifact,
  download: (id, path, expectedHash) => client.downloadArtifact(Number(id), { path, expectedHash })
}
console.log(`\n${JSON.stringify(await verbs[verb](...given))}`)
