require 'json'
require 'net/http'
require 'securerandom'

SERVER = ENV.fetch('UNDERSTUDY_URL', 'http://127.0.0.1:8080')

def send_to(method, url, body = nil)
  uri = URI(url)
  request = Net::HTTP.const_get(method.capitalize).new(uri, 'Content-Type' => 'application/json')
  request.body = body.to_json if body
  Net::HTTP.start(uri.hostname, uri.port) { |http| http.request(request) }
end

RSpec.configure do |config|
  config.around do |example|
    @name = "rb-#{SecureRandom.hex(6)}"
    @url = "#{SERVER}/__sandbox/#{@name}"
    send_to('put', "#{SERVER}/__qa/sandboxes/#{@name}")
    example.run
    warn send_to('get', "#{@url}/__qa/journal").body if example.exception
    send_to('delete', "#{SERVER}/__qa/sandboxes/#{@name}")
  end
end

RSpec.describe 'calendar' do
  def events = send_to('get', "#{@url}/wp-json/tribe/events/v1/events")

  it 'removes past events from the list' do
    send_to('post', "#{@url}/__qa/seed", { events: [{ title: 'Fair', start: '+1d 10:00', duration: '2h' }] })
    expect(JSON.parse(events.body)['events'].map { |event| event['title'] }).to eq ['Fair']
    send_to('put', "#{@url}/__qa/clock", { advance: '3 days' })
    expect(JSON.parse(events.body)['events']).to eq []
  end

  it 'is down' do
    send_to('post', "#{@url}/__qa/faults", { effect: { status: 503 } })
    expect(events.code).to eq '503'
    expect(events['content-type']).to include 'html'
  end
end
