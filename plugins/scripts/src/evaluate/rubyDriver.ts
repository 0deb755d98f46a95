/** Runs in a Ruby process: `ruby driver.rb job.json`. */
export const rubyDriver = String.raw`require 'json'

class Logger
  %w[trace debug info warn error].each do |level|
    define_method(level) do |*words|
      line = { logs: [{ level: level.upcase, message: words.map(&:to_s).join(' ') }] }
      puts "::#{JSON.generate(line)}::"
      $stdout.flush
    end
  end
end

class RunContext
  def initialize(variables, logger)
    @variables = variables
    @logger = logger
  end
  attr_reader :logger

  def getVariables = @variables

  def method_missing(name, *)
    raise NoMethodError, "runContext.#{name} is not available here; write an expression into the script instead"
  end

  def respond_to_missing?(*) = false
end

JOB = JSON.parse(File.read(ARGV[0], encoding: 'utf-8'))
LOGGER = Logger.new

def scope(more = {})
  place = Object.new.instance_eval { binding }
  names = JOB['variables'].merge('logger' => LOGGER, 'runContext' => RunContext.new(JOB['variables'], LOGGER))
  names.merge(more).each do |name, value|
    place.local_variable_set(name, value) if name.match?(/\A[a-z_]\w*\z/)
  end
  place
end

def evaluate_once
  place = scope
  result = place.eval(JOB['script'], 'script.rb')
  result = result.call if result.is_a?(Proc)
  outputs = {}
  JOB['outputs'].each do |name|
    if result.is_a?(Hash) && (result.key?(name) || result.key?(name.to_sym))
      outputs[name] = result.key?(name) ? result[name] : result[name.to_sym]
    elsif place.local_variable_defined?(name)
      outputs[name] = place.local_variable_get(name)
    end
  end
  File.write(JOB['target'], JSON.generate({ result: result, outputs: outputs }))
end

def transform_rows
  File.open(JOB['target'], 'w') do |target|
    File.foreach(JOB['source'], encoding: 'utf-8') do |line|
      next if line.strip.empty?

      place = scope('row' => JSON.parse(line), 'rows' => nil)
      place.eval(JOB['script'], 'script.rb')
      rows = place.local_variable_get('rows') || [place.local_variable_get('row')]
      rows.each { |row| target.puts(JSON.generate(row)) unless row.nil? }
    end
  end
end

JOB.key?('source') ? transform_rows : evaluate_once
`;
