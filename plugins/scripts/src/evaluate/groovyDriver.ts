/** Runs in a Groovy process: `groovy driver.groovy job.json`. */
export const groovyDriver = String.raw`import groovy.json.JsonOutput
import groovy.json.JsonSlurper

class Log {
  def say(String level, Object message) {
    println('::' + JsonOutput.toJson([logs: [[level: level, message: String.valueOf(message)]]]) + '::')
  }
  def trace(message) { say('TRACE', message) }
  def debug(message) { say('DEBUG', message) }
  def info(message) { say('INFO', message) }
  def warn(message) { say('WARN', message) }
  def error(message) { say('ERROR', message) }
}

def job = new JsonSlurper().parse(new File(args[0]), 'UTF-8')
def logger = new Log()
def runContext = [logger: { -> logger }, getVariables: { -> job.variables }]
def bind = { Map more ->
  def binding = new Binding(new LinkedHashMap(job.variables))
  binding.setVariable('logger', logger)
  binding.setVariable('runContext', runContext)
  more.each { name, value -> binding.setVariable(name, value) }
  binding
}
def shell = new GroovyShell()
def script = shell.parse(job.script)

if (job.source == null) {
  def binding = bind([:])
  script.binding = binding
  def result = script.run()
  if (result instanceof Closure) result = result.call()
  def outputs = [:]
  job.outputs.each { name ->
    if (result instanceof Map && result.containsKey(name)) outputs[name] = result[name]
    else if (binding.hasVariable(name)) outputs[name] = binding.getVariable(name)
  }
  new File(job.target).setText(JsonOutput.toJson([result: result, outputs: outputs]), 'UTF-8')
} else {
  new File(job.target).withWriter('UTF-8') { target ->
    new File(job.source).eachLine('UTF-8') { line ->
      if (line.trim().isEmpty()) return
      def binding = bind([row: new JsonSlurper().parseText(line), rows: null])
      script.binding = binding
      script.run()
      def rows = binding.getVariable('rows') ?: [binding.getVariable('row')]
      rows.each { row -> if (row != null) target.write(JsonOutput.toJson(row) + '\n') }
    }
  }
}
`;
