require 'json'
require 'net/http'

EVENTS = 'http://127.0.0.1:8080/wp-json/tribe/events/v1/events'

def all_events
  return to_enum(:all_events) unless block_given?

  (1..).each do |page|
    response = Net::HTTP.get_response(URI("#{EVENTS}?page=#{page}&per_page=10"))
    return if response.code == '404' # past the last page

    response.value # raises on other errors
    JSON.parse(response.body)['events'].each { |event| yield event }
  end
end

def simplify(event)
  {
    title: event['title'],
    image: event['image'] ? event['image']['url'] : nil, # false: no image
    venue: event['venue'].is_a?(Hash) ? event['venue']['venue'] : nil, # []: no venue, and an empty array is true in Ruby
    all_day: event['all_day'] # nil: protected by a password
  }
end

events = all_events.map { |event| simplify(event) }
%i[image venue all_day].each { |field| puts "#{field} #{events.count { |event| event[field].nil? }} of #{events.size}" }
